import { setImmediate } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type ListSource, sourceOf } from "../articles/lists/page.ts";
import { rowsWithBodies } from "../articles/reading.ts";
import { ArticleSearch } from "../articles/schema.ts";
import {
  community,
  findPublisher,
  publishedBy,
  searched,
  type Subject,
  type SubjectWithFeed,
  tagged,
} from "../articles/subjects.ts";
import { addressOf } from "../../content/images/profile-picture.ts";
import { absoluteHtml } from "../../content/text/absolute-html.ts";
import { notFound } from "../../platform/errors.ts";
import { answer } from "../../http/answers.ts";
import type { Mount } from "../../http/operation.ts";
import { apiPath, articlePath, profilePath, withQuery } from "../../platform/paths.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import { codeOf } from "../../platform/text/search-languages.ts";
import { type Entry, type Feed, type Format, OTHERS, RSS } from "./formats.ts";
import { MAX_QUERY } from "../../search/index/query-parts.ts";
import * as tags from "../tags/tags.ts";

const { tag, top, cursor } = ArticleSearch.properties;

const FeedPage = Type.Object({ cursor });

/** The search of the API, but with a required query. */
const SearchFeed = Type.Object({
  q: Type.String({ maxLength: MAX_QUERY, "x-any-text": true }),
  tag,
  top,
  cursor,
});

const FeedName = Type.Object({ name: Type.String() });

const config = { access: "public", limited: true, isFeed: true } as const;

export const feedRoutes: Mount = (app, program) => {
  const { baseUrl } = program;
  const send = (request: FastifyRequest, reply: FastifyReply, format: Format, subjectIn: SubjectIn) =>
    answer(request, reply, async (db) => {
      const source = sourceOf({ ...program, db });
      const subject = await subjectIn(source);
      const asked = { subject, suffix: format.suffix, given: request.given, baseUrl };
      const feed = await read(source, asked);
      return { body: format.write(feed), type: `${format.type}; charset=utf-8` };
    });
  for (const format of [RSS, ...OTHERS]) {
    app.get(
      `/feed${format.suffix}`,
      { config, schema: { hide: true, querystring: FeedPage } },
      (request, reply) => send(request, reply, format, async () => community()),
    );
    app.get(
      `/feed/search${format.suffix}`,
      { config, schema: { hide: true, querystring: SearchFeed } },
      (request, reply) => {
        const { q, tag, top } = request.query;
        return send(request, reply, format, async () => searched({ q, tag, top }));
      },
    );
  }
  const named = { config, schema: { hide: true, params: FeedName, querystring: FeedPage } };
  app.get("/feed/tag/:name", named, (request, reply) => {
    const { name, format } = readName(request.params.name);
    return send(request, reply, format, async ({ db }) => {
      const tag = await tags.find(db, name);
      if (tag === undefined) throw notFound();
      return tagged(tag.name);
    });
  });
  app.get("/feed/:name", named, (request, reply) => {
    const { name, format } = readName(request.params.name);
    return send(request, reply, format, async ({ db }) => {
      const found = await findPublisher(db, name);
      if (found === undefined) throw notFound();
      return publishedBy(found, baseUrl);
    });
  });
};

type SubjectIn = (source: ListSource) => Promise<SubjectWithFeed>;

function readName(text: string): { name: string; format: Format } {
  const format = OTHERS.find(({ suffix }) => text.endsWith(suffix)) ?? RSS;
  return { name: text.slice(0, text.length - format.suffix.length), format };
}

const ENTRIES = 20;

/** Keeps a feed of long articles in memory. */
const MAX_BODY_BYTES = 128 * 1024;

interface Asked {
  subject: SubjectWithFeed;
  suffix: string;
  given: Record<string, string>;
  baseUrl: string;
}

async function read(source: ListSource, { subject, suffix, given, baseUrl }: Asked): Promise<Feed> {
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
