import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type AppError, invalid } from "../../platform/errors.ts";
import { fetchDue } from "../../platform/fetches/due.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import { unreadable } from "../../platform/fetches/outcome.ts";
import { quote } from "../../platform/text/quote.ts";
import { isHttpUrl } from "../../platform/text/urls.ts";
import { fetchFeed, tryFeed } from "./fetching.ts";
import type { ImportServices } from "./import-item.ts";
import * as queries from "./queries.ts";

const KIND = "feed";

const HOUR_SECONDS = 3600;

const CONCURRENCY = 3;

/** A hundred new items take a while to write; after a kill, another process takes over within a minute. */
const LEASE_SECONDS = 50;

/** Schedules feeds; many at once are spread over an hour. */
export function schedule(tx: Db, ids: readonly number[], now: Date): Promise<void> {
  const withinSeconds = ids.length > CONCURRENCY ? HOUR_SECONDS : 0;
  return fetches.schedule(tx, KIND, ids, { at: now, withinSeconds });
}

const MAX_URL_BYTES = 2000;

export function checkedUrl(url: string): string {
  const text = url.trim();
  if (!isHttpUrl(text)) {
    throw invalid(
      `The address of a feed must be a full http or https address, such as https://example.com/feed, not ${quote(text)}`,
    );
  }
  const { href } = new URL(text);
  if (Buffer.byteLength(href) <= MAX_URL_BYTES) return href;
  throw invalid(`The address of a feed is too long (maximum is ${MAX_URL_BYTES} bytes)`);
}

const SHOWN_SKIPPED = 5;

/** Feeds, all or only these, with the result of their last fetch and the items that they skipped last. */
export async function list(db: Db, only?: readonly number[]) {
  const sources = await queries.list(db, only);
  const ids = sources.map(({ id }) => id);
  const statuses = await fetches.statusOf(db, KIND, ids);
  const lastSkipped = await queries.lastSkipped(db, ids, SHOWN_SKIPPED);
  return sources.map((source) => {
    const { succeeded_at = null, due_at = null, failure: problem = null } = statuses.get(source.id) ?? {};
    const last = lastSkipped.filter(({ feed_id }) => feed_id === source.id);
    const last_skipped = last.map(({ title, reason, seen_at }) => ({ title, reason, seen_at }));
    return { ...source, succeeded_at, due_at, problem, last_skipped };
  });
}

export { reassign } from "./queries.ts";

export type SourceStatus = Awaited<ReturnType<typeof list>>[number];

/**
 * Adds a feed to a person, and reads it for the first time. A feed that can't be read yet is added all the same, and
 * retried.
 */
export async function add(
  surroundings: ImportServices,
  { userId, url, publish }: { userId: number; url: string; publish: boolean },
): Promise<SourceStatus> {
  const source = { user_id: userId, url: checkedUrl(url), publish, created_at: surroundings.now() };
  const id = await inTransaction(surroundings.db, async (tx) => {
    const id = await queries.insertIfNew(tx, source);
    if (id === undefined) throw invalid(`This user has the feed ${source.url} already`);
    await schedule(tx, [id], source.created_at);
    return id;
  });
  await fetchSome(surroundings, { ids: [id] });
  const [added] = await list(surroundings.db, [id]);
  if (!added) throw unknown(id);
  return added;
}

export async function requireReadable({ outside }: ImportServices, url: string): Promise<void> {
  const address = checkedUrl(url);
  try {
    await tryFeed(outside, address);
  } catch (error) {
    throw unreadable(address, error);
  }
}

export async function remove(db: Db, id: number): Promise<{ id: number; user: string; url: string }> {
  return inTransaction(db, async (tx) => {
    const source = await queries.find(tx, id);
    if (!source) throw unknown(id);
    await queries.remove(tx, id);
    return { id, user: source.username, url: source.url };
  });
}

function unknown(id: number): AppError {
  return invalid(`There is no feed ${id}: \`inkstone feed list\` shows their numbers`);
}

export async function refresh(surroundings: ImportServices, id: number | undefined) {
  const { db, now } = surroundings;
  const before = await list(db, id === undefined ? undefined : [id]);
  if (id !== undefined && before.length === 0) throw unknown(id);
  const ids = before.map((source) => source.id);
  // A feed may be unscheduled after a repair by hand.
  await schedule(db, ids, now());
  await fetches.refresh(db, KIND, ids, now());
  await fetchSome(surroundings, { ids });
  const counts = new Map(before.map((source) => [source.id, source]));
  return (await list(db, ids)).map((source) => ({
    ...source,
    new_imported: source.imported - (counts.get(source.id)?.imported ?? 0),
    new_skipped: source.skipped - (counts.get(source.id)?.skipped ?? 0),
  }));
}

/** Lets a server fetch a feed at once. */
export const makeDue = (db: Db, id: number, now: Date): Promise<boolean> =>
  fetches.refresh(db, KIND, [id], now);

export function refreshDue(surroundings: ImportServices, signal?: AbortSignal): Promise<number> {
  return fetchSome(surroundings, { signal });
}

function fetchSome(
  surroundings: ImportServices,
  some: { ids?: readonly number[]; signal?: AbortSignal | undefined },
): Promise<number> {
  const { db, now } = surroundings;
  return fetchDue({
    db,
    kind: KIND,
    now,
    everySeconds: HOUR_SECONDS,
    concurrency: CONCURRENCY,
    leaseSeconds: LEASE_SECONDS,
    handle: (claim) => fetchFeed(surroundings, claim),
    ...some,
  });
}
