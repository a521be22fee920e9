import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { digestOf, isToken, newToken } from "../tokens.ts";

/** How long a link works. */
export const LINK_MINUTES = 30;
/** How long one that is sent by mail does. */
export const MAILED_LINK_MINUTES = 60;

/** A user who signs in, or null for whoever sets the site up. */
type Owner = number | null;

/*
 * Single statements outside of the program's transactions, which would make kept answers stale: no answer to a
 * stranger shows a link.
 */

/** Makes a link, and ends the one that its owner had. Returns its token, which is nowhere else. */
export async function create(
  db: Db,
  owner: Owner,
  now: Date,
  minutes: number = LINK_MINUTES,
): Promise<string> {
  const token = newToken();
  const end = new Date(now.getTime() + minutes * 60_000);
  await sql`
    insert into one_time_links (sha256, user_id, expires_at) values (${digestOf(token)}, ${owner}, ${end})
    on conflict (user_id) do update set sha256 = excluded.sha256, expires_at = excluded.expires_at`.execute(
    db,
  );
  return token;
}

/** Makes a link as `create` does, and returns its path. */
export async function createPath(db: Db, owner: Owner, now: Date): Promise<string> {
  const token = await create(db, owner, now);
  return owner === null ? `/setup/${token}` : `/signin/link/${token}`;
}

/** The owner of a link that still works; undefined for any other token. */
export async function find(db: Db, token: string, now: Date): Promise<{ owner: Owner } | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<{ owner: Owner }>`
    select user_id as owner from one_time_links
    where sha256 = ${digestOf(token)} and expires_at > ${now}`.execute(db);
  return rows[0];
}

interface Used {
  owner: Owner;
  /** When the link still worked, which a change of the password ends. */
  passwordHash: string | null;
}

/** Ends a link by its only use, and returns its owner. */
export async function use(db: Db, token: string, now: Date): Promise<Used | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<Used>`
    delete from one_time_links where sha256 = ${digestOf(token)} and expires_at > ${now}
    returning user_id as owner, (select password_hash from users where id = user_id) as "passwordHash"`.execute(
    db,
  );
  return rows[0];
}

/** Ends the link of a user. */
export async function end(db: Db, userId: number): Promise<void> {
  await sql`delete from one_time_links where user_id = ${userId}`.execute(db);
}

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`delete from one_time_links where expires_at <= ${now}`.execute(db);
}
