import type { Db } from "../db/connect.ts";
import * as fetches from "../fetches/fetches.ts";
import * as queries from "./queries.ts";
import { KIND } from "./sources.ts";

/** A feed and how it stands with it. */
export interface SourceStatus {
  id: number;
  user: string;
  url: string;
  publish: boolean;
  created_at: Date;
  /** How many of its items have become articles, and how many have not. */
  imported: number;
  skipped: number;
  /** When it was last read without a fault, and when it is read next. */
  succeeded_at: Date | null;
  due_at: Date | null;
  /** Why it can't be read, or nothing be taken in. */
  problem: string | null;
  /** The last items that have not become articles, the newest first. */
  last_skipped: { title: string; reason: string; seen_at: Date }[];
}

const SHOWN_SKIPPED = 5;

/** Feeds by number: all, or those of these numbers. */
export async function list(db: Db, only?: readonly number[]): Promise<SourceStatus[]> {
  const sources = await queries.list(db, only);
  const ids = sources.map(({ id }) => id);
  const statuses = await fetches.statusOf(db, KIND, ids);
  const counts = await queries.countItems(db, ids);
  const skipped = await queries.lastSkipped(db, ids, SHOWN_SKIPPED);
  return sources.map(({ id, username, url, publish, created_at }) => {
    const status = statuses.get(id);
    const last = skipped.filter(({ feed_id }) => feed_id === id);
    return {
      id,
      user: username,
      url,
      publish,
      created_at,
      ...(counts.get(id) ?? { imported: 0, skipped: 0 }),
      succeeded_at: status?.succeeded_at ?? null,
      due_at: status?.due_at ?? null,
      problem: status?.failure ?? null,
      last_skipped: last.map(({ title, reason, seen_at }) => ({ title, reason, seen_at })),
    };
  });
}
