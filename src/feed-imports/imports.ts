import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { type AppError, invalid } from "../errors.ts";
import { fetchDue } from "../fetches/due.ts";
import * as fetches from "../fetches/fetches.ts";
import { unreadable } from "../fetches/outcome.ts";
import { fetchFeed, type Surroundings, tryFeed } from "./fetching.ts";
import * as queries from "./queries.ts";
import { checkedUrl, CONCURRENCY, HOUR_SECONDS, KIND, LEASE_SECONDS, schedule } from "./sources.ts";
import { list, type SourceStatus } from "./status.ts";

interface NewSource {
  userId: number;
  url: string;
  publish: boolean;
}

/**
 * Has a feed's items become articles of somebody, from now on, and reads it for the first time. One that can't be read
 * yet is there all the same, and is tried again.
 * @throws AppError invalid when it is no address, or theirs already
 */
export async function add(
  surroundings: Surroundings,
  { userId, url, publish }: NewSource,
): Promise<SourceStatus> {
  const source = { user_id: userId, url: checkedUrl(url), publish, created_at: surroundings.now() };
  const id = await inTransaction(surroundings.db, async (tx) => {
    const id = await queries.insert(tx, source);
    if (id === undefined) throw invalid(`This person has the feed ${source.url} already`);
    await schedule(tx, [id], source.created_at);
    return id;
  });
  await fetchSome(surroundings, { ids: [id] });
  const [added] = await list(surroundings.db, [id]);
  if (!added) throw unknown(id);
  return added;
}

/**
 * Lets only a feed through that can be read now.
 * @throws AppError invalid that says why it can't
 */
export async function requireReadable({ outside }: Surroundings, url: string): Promise<void> {
  const address = checkedUrl(url);
  try {
    await tryFeed(outside, address);
  } catch (error) {
    throw unreadable(address, error);
  }
}

/**
 * Stops taking in a feed, and forgets what it has brought. The articles that came from it stay.
 * @throws AppError invalid when there is none of this number
 */
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

/** A feed after it was read once more. */
export type Refreshed = SourceStatus & {
  new_imported: number;
  new_skipped: number;
};

/**
 * Reads this feed, or all, at once: for an operator, who needn't wait as the worker does.
 * @throws AppError invalid when there is none of this number
 */
export async function refresh(surroundings: Surroundings, id: number | undefined): Promise<Refreshed[]> {
  const { db, now } = surroundings;
  const before = await list(db, id === undefined ? undefined : [id]);
  if (id !== undefined && before.length === 0) throw unknown(id);
  const ids = before.map((source) => source.id);
  // One that was never scheduled, as after a repair by hand, is from now on.
  await schedule(db, ids, now());
  await fetches.refresh(db, KIND, ids, { now: now(), byOperator: true });
  await fetchSome(surroundings, { ids });
  const counts = new Map(before.map((source) => [source.id, source]));
  return (await list(db, ids)).map((source) => ({
    ...source,
    new_imported: source.imported - (counts.get(source.id)?.imported ?? 0),
    new_skipped: source.skipped - (counts.get(source.id)?.skipped ?? 0),
  }));
}

/** Reads the feeds whose time has come; returns how many. */
export function refreshDue(surroundings: Surroundings, signal?: AbortSignal): Promise<number> {
  return fetchSome(surroundings, { signal });
}

function fetchSome(
  surroundings: Surroundings,
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
