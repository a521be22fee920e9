import type { Db } from "../db/connect.ts";
import * as fetches from "../fetches/fetches.ts";
import * as queries from "./queries.ts";
import { KIND } from "./sources.ts";

/** A feed with the result of its last fetch. */
export interface SourceStatus {
  id: number;
  user: string;
  url: string;
  publish: boolean;
  created_at: Date;
  /** Items that have become articles, and items that haven't. */
  imported: number;
  skipped: number;
  succeeded_at: Date | null;
  due_at: Date | null;
  /** Why it can't be read, or nothing is imported. */
  problem: string | null;
  /** The newest first. */
  last_skipped: { title: string; reason: string; seen_at: Date }[];
}

const SHOWN_SKIPPED = 5;

export async function list(db: Db, only?: readonly number[]): Promise<SourceStatus[]> {
  const sources = await queries.list(db, only);
  const ids = sources.map(({ id }) => id);
  const statuses = await fetches.statusOf(db, KIND, ids);
  const lastSkipped = await queries.lastSkipped(db, ids, SHOWN_SKIPPED);
  return sources.map(({ id, username: user, url, publish, created_at, imported, skipped }) => {
    const status = statuses.get(id);
    const last = lastSkipped.filter(({ feed_id }) => feed_id === id);
    return {
      id,
      user,
      url,
      publish,
      created_at,
      imported,
      skipped,
      succeeded_at: status?.succeeded_at ?? null,
      due_at: status?.due_at ?? null,
      problem: status?.failure ?? null,
      last_skipped: last.map(({ title, reason, seen_at }) => ({ title, reason, seen_at })),
    };
  });
}
