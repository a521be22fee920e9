import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Notes an address that a user has given, in place of one that waits already. */
export async function wait(
  tx: Db,
  { userId, address }: { userId: number; address: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into unconfirmed_addresses (user_id, address, requested_at) values (${userId}, ${address}, ${now})
    on conflict (user_id) do update
    set address = excluded.address, token_sha256 = null, requested_at = excluded.requested_at`.execute(tx);
}

/** The user whose confirmed address it is. */
export async function ownerOf(
  db: Db,
  address: string,
): Promise<{ id: number; username: string; suspended: boolean } | undefined> {
  const { rows } = await sql<{ id: number; username: string; suspended: boolean }>`
    select id, username, suspended from users where lower(email) = lower(${address})`.execute(db);
  return rows[0];
}
