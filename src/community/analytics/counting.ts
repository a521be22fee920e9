import { createHash, createHmac, randomBytes } from "node:crypto";
import type { ArticleRead, ViewCounter } from "../../context.ts";
import { inBatches } from "../../platform/db/batches.ts";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { networkOf } from "../../platform/limits/networks.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as queries from "./counting-queries.ts";
import { hostOf } from "./referrers.ts";
import { createIsbotFromList, list } from "isbot";

interface View {
  articleId: number;
  day: string;
  referrer: string;
  /** Stays in memory; a keyed hash is stored. */
  visitor: string;
}

/** About 20 MB: some minutes without a database on a busy site. */
const MAX_WAITING = 50_000;

const BATCH = 2_000;

/** Counts in memory, so that no reader waits. */
export function createViewCounter(): ViewCounter {
  const waiting = new Map<string, View>();
  let lost = 0;
  let writing = Promise.resolve();

  /** Views stay in memory until they are stored, so that a failing database loses none. */
  async function writeAll(db: Db): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH);
      const views = batch.map(([, view]) => view);
      await inTransaction(db, (tx) => writeViews(tx, views));
      for (const [key] of batch) waiting.delete(key);
    }
  }

  return {
    note(read) {
      const visitor = visitorOf(read);
      const key = `${read.articleId} ${dayNumber(read.at)} ${visitor}`;
      if (waiting.has(key) || !isView(read)) return;
      if (waiting.size < MAX_WAITING) waiting.set(key, viewOf(read, visitor));
      else lost += 1;
    },
    write(db, warn) {
      if (lost > 0) warn(`${lost} views weren't counted: too many wait for the database`);
      lost = 0;
      const written = writing.then(() => writeAll(db));
      writing = written.catch(() => {});
      return written;
    },
    get waiting() {
      return waiting.size;
    },
  };
}

const DAY_MS = 86_400_000;

const dayNumber = (at: Date) => Math.floor(at.getTime() / DAY_MS);

const MAX_NAME_LENGTH = 256;

/** The owner of a key is one visitor on any address. */
function visitorOf({ viewerId, address, headers }: ArticleRead): string {
  if (viewerId !== undefined) return `user ${viewerId}`;
  const name = headers["user-agent"] ?? "";
  const isShort = name.length <= MAX_NAME_LENGTH;
  return `${networkOf(address)} ${isShort ? name : createHash("sha256").update(name).digest("base64")}`;
}

function isView({ viewerId, authorId, headers }: ArticleRead): boolean {
  return viewerId !== authorId && !isAhead(headers) && !isBot(headers["user-agent"] ?? "");
}

function viewOf({ articleId, at, headers }: ArticleRead, visitor: string): View {
  const day = at.toISOString().slice(0, 10);
  return { articleId, day, referrer: hostOf(headers.referer ?? "") ?? "", visitor };
}

const AHEAD_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

function isAhead(headers: ArticleRead["headers"]): boolean {
  return AHEAD_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? "")));
}

async function writeViews(tx: Db, views: View[]): Promise<void> {
  const counts = new Map<string, queries.ViewCount>();
  for (const view of await newOnes(tx, views)) {
    const { articleId: article_id, day, referrer } = view;
    const key = `${article_id} ${day} ${referrer}`;
    const count = counts.get(key) ?? { article_id, day, referrer, views: 0 };
    count.views += 1;
    counts.set(key, count);
  }
  await queries.addViews(tx, [...counts.values()]);
}

async function newOnes(tx: Db, views: View[]): Promise<View[]> {
  const fresh: View[] = [];
  // All transactions take days in order, because they lock the key of each.
  for (const day of [...new Set(views.map((view) => view.day))].toSorted()) {
    const key = await queries.keyOf(tx, day, randomBytes(32));
    const byHash = new Map(
      views.filter((view) => view.day === day).map((view) => [hashOf(view, key).toString("hex"), view]),
    );
    const added = new Set(await queries.addVisitors(tx, day, [...byHash.keys()].toSorted()));
    fresh.push(...[...byHash].filter(([hash]) => added.has(hash)).map(([, view]) => view));
  }
  return fresh;
}

const HASH_BYTES = 16;

/** Hashes the visitor together with the article, so that views of one visitor can't be linked. */
function hashOf({ articleId, visitor }: View, key: Buffer): Buffer {
  return createHmac("sha256", key).update(`${articleId} ${visitor}`).digest().subarray(0, HASH_BYTES);
}

const HOUR_MS = 3_600_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Forgets visitors an hour late, because views are written late. */
export function forgetVisitors(db: Db, now: Date): Promise<void> {
  return inTransaction(db, (tx) => queries.removeKeysBefore(tx, dayOf(now.getTime() - HOUR_MS)));
}

const FORGOTTEN_ROWS = 5_000;

export async function forgetViewers(db: Db, now: Date): Promise<number> {
  const { page_view_days: days } = await settings.read(db);
  const day = dayOf(now.getTime() - days * DAY_MS);
  return inBatches(FORGOTTEN_ROWS, (limit) =>
    inTransaction(db, (tx) => queries.forgetBefore(tx, day, limit)),
  );
}

export { forgetPeople, reassign } from "./counting-queries.ts";

/** Patterns of programs that aren't browsers. People read with programs built on the API, so these count. */
export const LIBRARIES: ReadonlySet<string> = new Set([
  "(?<!lib)http",
  "@[a-z][\\w-]+\\.",
  "\\.com\\b",
  "\\bperl\\b",
  "^apache/",
  "^client/",
  "^custom",
  "^php",
  "^postman",
  "^python",
  "^read",
  "^rest",
  "^wget",
  "agent\\b",
  "java(?!;)",
  "library",
  "node\\b",
  "tools",
  "url",
]);

function hasName(pattern: string): boolean {
  return /[a-z0-9]{3}/.test(pattern.replaceAll(/\\\w|\(\?\S/g, " "));
}

/** Crawlers by convention give the address of an explanation. */
const ADDRESS = "\\+\\s?https?:";

const isNamed = createIsbotFromList([
  ...list.filter((pattern) => hasName(pattern) && !LIBRARIES.has(pattern)),
  ADDRESS,
]);

const MAX_LENGTH = 512;

export function isBot(userAgent: string): boolean {
  return isNamed(userAgent.slice(0, MAX_LENGTH));
}
