import type { Db } from "../db/connect.ts";
import * as fetches from "../fetches/fetches.ts";
import * as queries from "./queries.ts";
import { KIND } from "./sources.ts";

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

export type SourceStatus = Awaited<ReturnType<typeof list>>[number];
