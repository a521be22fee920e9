import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { AppError, type Policy } from "../errors.ts";

export interface ActionLimit {
  userId: number;
  action: string;
  limit: number;
  windowSeconds: number;
  now: Date;
}

/** Counts an action of a person, whose row the transaction locks, so it is exact over all processes. */
export async function spend(tx: Db, limit: ActionLimit): Promise<void> {
  await check(tx, limit);
  const { userId, action, now } = limit;
  await tx.insertInto("recent_actions").values({ user_id: userId, action, done_at: now }).execute();
}

export async function check(tx: Db, limit: ActionLimit): Promise<void> {
  const { userId, action, windowSeconds, now } = limit;
  const begin = new Date(now.getTime() - windowSeconds * 1_000);
  const own = sql`from recent_actions where user_id = ${userId} and action = ${action}`;
  const { rows } = await sql<{ done: number }>`
    with forgotten as (delete ${own} and done_at <= ${begin})
    select count(*)::int as done ${own} and done_at > ${begin}`.execute(tx);
  if ((rows[0]?.done ?? 0) >= limit.limit) throw refusedBy(limit);
}

export const refusedBy = ({ action, limit, windowSeconds }: Omit<ActionLimit, "userId" | "now">): AppError =>
  tooOften(windowSeconds, { name: action, quota: limit, windowSeconds });

export function tooOften(seconds: number, policy?: Policy): AppError {
  const sentence = `Rate limit reached, try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return new AppError("rate_limited", sentence, { retryAfterSeconds: seconds, ...(policy && { policy }) });
}
