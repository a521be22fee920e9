import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { openToken, signToken } from "../../mail/signed-tokens.ts";

/** How long a link works. */
export const LINK_MINUTES = 30;
export const MAILED_LINK_MINUTES = 60;

/** A user who signs in, or null for whoever sets the site up. */
type Owner = number | null;

/** Makes a link. The last one of a user ends; one that sets the site up works until there is an admin. */
export async function create(
  db: Db,
  owner: Owner,
  now: Date,
  minutes: number = LINK_MINUTES,
): Promise<string> {
  const end = new Date(now.getTime() + minutes * 60_000);
  if (owner === null) return signToken(db, { purpose: "set up", end });
  const { rows } = await sql<{ state: string }>`
    update users set sign_in_link = gen_random_uuid() where id = ${owner}
    returning sign_in_link as state`.execute(db);
  return signToken(db, { purpose: "sign in", id: owner, end, ...rows[0] });
}

export async function createPath(db: Db, owner: Owner, now: Date): Promise<string> {
  const token = await create(db, owner, now);
  return owner === null ? `/setup/${token}` : `/signin/link/${token}`;
}

export async function setsUp(db: Db, token: string, now: Date): Promise<boolean> {
  const link = await openToken(db, { token, purpose: "set up", now }, async () => ({ state: "" }));
  return link !== undefined;
}

/** The user whom a link signs in; undefined for one that doesn't work. */
export function find(
  db: Db,
  token: string,
  now: Date,
): Promise<{ owner: number; state: string } | undefined> {
  return openToken(db, { token, purpose: "sign in", now }, async (id) => {
    const { rows } = await sql<{ owner: number; state: string }>`
      select id as owner, sign_in_link as state from users
      where id = ${id} and sign_in_link is not null`.execute(db);
    return rows[0];
  });
}

interface Used {
  owner: number;
  /** When the link still worked, which a change of the password ends. */
  passwordHash: string | null;
}

/** Ends a link by its only use, and returns its user. */
export async function use(db: Db, token: string, now: Date): Promise<Used | undefined> {
  const link = await find(db, token, now);
  if (link === undefined) return undefined;
  const { rows } = await sql<Used>`
    update users set sign_in_link = null where id = ${link.owner} and sign_in_link = ${link.state}
    returning id as owner, password_hash as "passwordHash"`.execute(db);
  return rows[0];
}

export async function end(db: Db, userId: number): Promise<void> {
  await sql`
    update users set sign_in_link = null where id = ${userId} and sign_in_link is not null`.execute(db);
}
