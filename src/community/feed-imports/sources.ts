import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import { quote } from "../../platform/text/quote.ts";
import { isHttpUrl } from "../../platform/text/urls.ts";
import * as queries from "./queries.ts";

export const KIND = "feed";

export const HOUR_SECONDS = 3600;

export const CONCURRENCY = 3;

/** A hundred new items take a while to write; after a kill, another process takes over within a minute. */
export const LEASE_SECONDS = 50;

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
