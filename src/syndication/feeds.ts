import { setImmediate } from "node:timers/promises";
import type { ListSource } from "../articles/lists.ts";
import * as settings from "../settings/settings.ts";
import type { Settings } from "../settings/schema.ts";
import type { Entry, Feed } from "./feed.ts";
import * as queries from "./queries.ts";
import type { Subject } from "./subjects.ts";
import * as view from "./view.ts";

const ENTRIES = 20;

/** So that a feed of nothing but long articles still fits in memory, and no reader loads megabytes for one. */
const MAX_BODY_BYTES = 128 * 1024;

/** Which feed is asked for, and how. */
export interface Asked {
  subject: Subject;
  /** What names the format at the end of a path. */
  suffix: string;
  /** The query as it was given. */
  given: Record<string, string>;
  baseUrl: string;
}

/**
 * Twenty articles of a subject with what says whose they are and where others are.
 * @throws AppError invalid for a cursor of another list
 */
export async function read(source: ListSource, asked: Asked): Promise<Feed> {
  const { subject, given, baseUrl } = asked;
  const { cursor, ...filters } = given;
  const { rows, nextCursor } = await subject.list(source, { limit: ENTRIES, offset: 0, cursor });
  const entries = await load(
    source,
    rows.map(({ article_id }) => article_id),
    baseUrl,
  );
  const current = await settings.remembered(source.services.fresh, source.db);
  return {
    ...headOf(subject, current),
    id: baseUrl + withQuery(subject.path, filters),
    page: baseUrl + subject.page,
    self: addressOf(asked, given),
    first: cursor === undefined ? undefined : addressOf(asked, filters),
    next: nextCursor === undefined ? undefined : addressOf(asked, { ...filters, cursor: nextCursor }),
    picture: subject.picture,
    updatedAt: newest(entries),
    entries,
  };
}

async function load({ db }: ListSource, ids: number[], baseUrl: string): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const rows = await queries.entries(db, ids, { maxBodyBytes: MAX_BODY_BYTES });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const entries: Entry[] = [];
  // An article that went away between the two queries is left out.
  for (const row of ids.flatMap((id) => byId.get(id) ?? [])) {
    entries.push(view.entry(row, baseUrl));
    // Others have their turn between two long ones.
    await setImmediate();
  }
  return entries;
}

function headOf({ title, description }: Subject, settings: Settings) {
  const { community_name, community_description, tagline, search_language } = settings;
  return {
    title: title === undefined ? community_name : `${title} · ${community_name}`,
    description: description ?? (community_description || tagline || community_name),
    language: search_language === "english" ? "en" : undefined,
  };
}

function addressOf({ subject, suffix, baseUrl }: Asked, query: Record<string, string>): string {
  return baseUrl + withQuery(subject.path + suffix, query);
}

function withQuery(path: string, query: Record<string, string>): string {
  const parameters = new URLSearchParams(query);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

function newest(entries: readonly Entry[]): Date | undefined {
  const dates = entries.map(({ updatedAt }) => updatedAt.getTime());
  return dates.length === 0 ? undefined : new Date(Math.max(...dates));
}
