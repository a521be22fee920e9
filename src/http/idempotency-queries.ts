import { sql } from "kysely";
import { purgeRows } from "../platform/db/batches.ts";
import type { Db } from "../platform/db/connect.ts";
import { jsonNames } from "../platform/db/values.ts";

export interface Claim {
  userId: number;
  key: string;
  fingerprint: Buffer;
}

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export async function find(
  db: Db,
  { userId, key }: Claim,
): Promise<(KeptAnswer & { fingerprint: Buffer }) | undefined> {
  const { rows } = await sql<KeptAnswer & { fingerprint: Buffer }>`
    select fingerprint, status, headers, body from idempotency_keys
    where user_id = ${userId} and key = ${key}`.execute(db);
  return rows[0];
}

export async function insert(tx: Db, { userId, key, fingerprint }: Claim, answer: KeptAnswer): Promise<void> {
  const { status, headers, body } = answer;
  await tx
    .insertInto("idempotency_keys")
    .values({ user_id: userId, key, fingerprint, status, headers: JSON.stringify(headers), body })
    .execute();
}

/** Removes keys an hour later than promised. Returns their number. */
export function purge(db: Db): Promise<number> {
  return purgeRows(db, "idempotency_keys", sql`created_at < now() - interval '25 hours'`);
}

/** Forgets the responses that show one of these people. */
export function removeQuoting(db: Db, userIds: readonly number[]): Promise<number> {
  return purgeRows(db, "idempotency_keys", jsonNames("body", "user_id", userIds));
}
