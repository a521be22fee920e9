import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

/** Databases in which there were people: a site is set up once. */
const peopled = new WeakSet<Db>();

export async function hasPeople(db: Db): Promise<boolean> {
  if (peopled.has(db)) return true;
  const { rows } = await sql`select from users limit 1`.execute(db);
  if (rows.length > 0) notePeople(db);
  return rows.length > 0;
}

export function notePeople(db: Db): void {
  peopled.add(db);
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const { rows } = await sql`select from users where role = 'admin' limit 1`.execute(db);
  return rows.length > 0;
}
