import { setImmediate } from "node:timers/promises";
import type { ListSource } from "../articles/lists/page.ts";
import { rowsWithBodies } from "../articles/reading.ts";
import type { Subject, SubjectWithFeed } from "../articles/subjects.ts";
import { addressOf } from "../../content/images/profile-picture.ts";
import { apiPath, articlePath, profilePath, withQuery } from "../../platform/paths.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import { absoluteHtml } from "../../content/text/absolute-html.ts";
import { codeOf } from "../../platform/text/search-languages.ts";
import type { Entry, Feed } from "./formats.ts";

const ENTRIES = 20;

/** Keeps a feed of long articles in memory. */
const MAX_BODY_BYTES = 128 * 1024;

interface Asked {
  subject: SubjectWithFeed;
  suffix: string;
  given: Record<string, string>;
  baseUrl: string;
}

export async function read(source: ListSource, { subject, suffix, given, baseUrl }: Asked): Promise<Feed> {
  const { cursor, ...filters } = given;
  const { rows, next } = await subject.list(source, { limit: ENTRIES, offset: 0, after: cursor });
  const address = baseUrl + subject.feed.path;
  const entries: Entry[] = [];
  for (const row of await rowsWithBodies(source.db, rows, MAX_BODY_BYTES)) {
    entries.push(entryOf(row, baseUrl));
    // Lets other requests run between two long bodies.
    await setImmediate();
  }
  const current = await settings.cached(source.cache, source.databases);
  return {
    ...headOf(subject, current),
    id: withQuery(address, filters),
    page: baseUrl + subject.path,
    self: withQuery(address + suffix, given),
    first: cursor === undefined ? undefined : withQuery(address + suffix, filters),
    next: next && withQuery(address + suffix, { ...filters, ...next }),
    picture: subject.picture,
    updatedAt: newest(entries),
    entries,
  };
}

type Row = Awaited<ReturnType<typeof rowsWithBodies>>[number];

function entryOf(row: Row, baseUrl: string): Entry {
  const { user, published_at, edited_at } = row;
  const url = baseUrl + articlePath(row);
  return {
    // This address survives a change of the slug or the author's name.
    id: baseUrl + apiPath("articles", row.id),
    url,
    title: row.title,
    summary: row.excerpt ?? row.description,
    html: row.body_html === null ? undefined : absoluteHtml(row.body_html, url),
    author: {
      name: user.name,
      url: baseUrl + profilePath(user.username),
      picture: addressOf({ kind: "user", ...user }, 640, baseUrl),
    },
    tags: row.tag_list,
    cover: row.main_image ?? undefined,
    publishedAt: published_at,
    updatedAt: edited_at !== null && edited_at > published_at ? edited_at : published_at,
  };
}

function headOf({ title, description }: Subject, settings: Settings) {
  const { community_name, community_description, tagline, search_language } = settings;
  return {
    title: title === undefined ? community_name : `${title} · ${community_name}`,
    description: description ?? (community_description || tagline || community_name),
    language: codeOf(search_language),
  };
}

function newest(entries: readonly Entry[]): Date | undefined {
  const dates = entries.map(({ updatedAt }) => updatedAt.getTime());
  return dates.length === 0 ? undefined : new Date(Math.max(...dates));
}
