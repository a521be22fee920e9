import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

export async function hasUsers(db: Db): Promise<boolean> {
  const row = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}
