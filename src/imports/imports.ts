import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid } from "../errors.ts";
import { fetchDue as fetchAll } from "../fetches/due.ts";
import * as fetches from "../fetches/fetches.ts";
import { fetchFeed, type Surroundings } from "./fetching.ts";
import * as queries from "./queries.ts";
import { CONCURRENCY, HOUR_SECONDS, KIND, schedule } from "./schedule.ts";
import { checkedUrl } from "./source-url.ts";

export interface NewSource {
  userId: number;
  url: string;
  publish: boolean;
}

/**
 * Has a feed's items become articles of somebody, from now on. It is fetched when the worker comes to it.
 * @throws AppError invalid when it is no address, or theirs already
 */
export async function add(db: Db, { userId, url, publish }: NewSource, now: Date): Promise<{ id: number }> {
  const address = checkedUrl(url);
  const source = { user_id: userId, url: address, publish, created_at: now };
  return inTransaction(db, async (tx) => {
    const id = await queries.insert(tx, source);
    if (id === undefined) throw invalid(`This person has the feed ${address} already`);
    await schedule(tx, [id], now);
    return { id };
  });
}

/**
 * Stops taking in a feed. The articles that came from it stay.
 * @throws AppError invalid when there is none of this number
 */
export async function remove(db: Db, id: number): Promise<{ id: number; url: string; username: string }> {
  return inTransaction(db, async (tx) => {
    const source = await queries.find(tx, id);
    if (!source) throw unknown(id);
    await queries.remove(tx, id);
    return { id, url: source.url, username: source.username };
  });
}

function unknown(id: number) {
  return invalid(`There is no feed ${id}: \`inkstone feed list\` shows their numbers`);
}

/** Fetches the feeds whose time has come; returns how many. */
export function fetchDue(surroundings: Surroundings, signal?: AbortSignal): Promise<number> {
  return fetchSome(surroundings, { signal });
}

/**
 * Fetches these feeds, or all, now: for an operator, who needn't wait as the worker does.
 * @throws AppError invalid when there is none of this number
 */
export async function refresh(surroundings: Surroundings, id: number | undefined): Promise<number[]> {
  const { db, now } = surroundings;
  const sources = await queries.list(db);
  if (id !== undefined && !sources.some((source) => source.id === id)) throw unknown(id);
  const ids = id === undefined ? sources.map((source) => source.id) : [id];
  await fetches.schedule(db, KIND, ids, { at: now() });
  await fetches.refresh(db, KIND, ids, { now: now(), byOperator: true });
  await fetchSome(surroundings, { ids });
  return ids;
}

function fetchSome(
  surroundings: Surroundings,
  some: { ids?: readonly number[]; signal?: AbortSignal | undefined },
): Promise<number> {
  const { db, now } = surroundings;
  return fetchAll({
    db,
    kind: KIND,
    now,
    everySeconds: HOUR_SECONDS,
    concurrency: CONCURRENCY,
    handle: (claim) => fetchFeed(surroundings, claim),
    ...some,
  });
}

/** So many of the items that became no article are shown of each feed. */
const SHOWN_SKIPPED = 5;

/** All feeds with what came of them, by number. */
export async function list(db: Db) {
  const sources = await queries.list(db);
  const ids = sources.map(({ id }) => id);
  const [statuses, counts, skipped] = [
    await fetches.statusOf(db, KIND, ids),
    await queries.countItems(db, ids),
    await queries.lastSkipped(db, ids, SHOWN_SKIPPED),
  ];
  return sources.map((source) => ({
    ...source,
    status: statuses.get(source.id),
    counts: counts.get(source.id) ?? { imported: 0, skipped: 0 },
    skipped: skipped.filter(({ feed_id }) => feed_id === source.id),
  }));
}

export type Listed = Awaited<ReturnType<typeof list>>[number];
