import { sql } from "kysely";
import type { Session } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { unauthorized } from "../../platform/errors.ts";
import { digestOf, isToken, newToken } from "../../platform/tokens.ts";
import type { Role } from "./columns.ts";
import * as links from "./one-time-links.ts";

export interface Device {
  /** An IPv4 /24 or an IPv6 /48. */
  network: string;
  browser: string;
}

const DAY_MS = 86_400_000;
const IDLE_MS = 14 * DAY_MS;
const LIFETIME_MS = 90 * DAY_MS;
const SEEN_EVERY_MS = 300_000;
const CONFIRMED_MS = 900_000;
const MAX_BROWSER = 200;
const UNFINISHED_MS = 600_000;
/** Codes of a second factor that may be tried to finish a sign-in. */
export const CODES = 5;

interface Beginning extends Device {
  userId: number;
  /** Ends with the new session's beginning. */
  replacing?: string | undefined;
  isByLink?: boolean;
  /** When the user proved who they are; null without a password. It may have changed since. */
  passwordHash?: string | null;
  isFinished?: boolean;
}

/**
 * Begins a session, and returns its token, which is nowhere else. For a user with a second factor it is a sign-in that
 * a code has yet to finish, unless that is said to be done: until then it opens nothing. The lock of the row makes a
 * change of the password that runs at the same time come before, or end this session.
 * @throws AppError unauthorized for an account that is gone or suspended, or has another password
 */
export async function begin(
  db: Db,
  { userId, network, browser, replacing = "", isByLink = false, isFinished = false, passwordHash }: Beginning,
  now: Date,
): Promise<string> {
  const token = newToken();
  const { rows } = await sql`
    with ended as (delete from sessions where sha256 = ${digestOf(replacing)})
    insert into sessions (sha256, user_id, created_at, seen_at, confirmed_at, by_link, network, browser, codes_left)
    select ${digestOf(token)}, id, ${now}, ${now}, ${now}, ${isByLink}, ${network}, ${browser.slice(0, MAX_BROWSER)},
      case when not ${isFinished} and exists (select from second_factors where user_id = users.id) then ${CODES}::int end
    from users
    where id = ${userId} and not suspended and password_hash is not distinct from ${passwordHash === undefined ? sql`password_hash` : passwordHash}
    for share returning id`.execute(db);
  if (rows.length === 0) throw unauthorized("The account is suspended or gone, or its password has changed.");
  return token;
}

/**
 * Notes that the password was given, and returns the token that takes the place of the session's own.
 * @throws AppError unauthorized for a session that has ended
 */
export async function renew(db: Db, id: number, now: Date): Promise<string> {
  const token = newToken();
  const { rows } = await sql`
    update sessions set sha256 = ${digestOf(token)}, confirmed_at = ${now}, by_link = false
    where id = ${id} returning id`.execute(db);
  if (rows.length === 0) throw unauthorized("The session has ended.");
  return token;
}

interface Found {
  id: number;
  user_id: number;
  role: Role;
  seen_at: Date;
  confirmed_at: Date;
  by_link: boolean;
  has_factor: boolean;
}

const find = prepare<{ sha256: Buffer; begun: Date; seen: Date }, Found>(
  (value) => sql`
    select sessions.id, user_id, role, seen_at, confirmed_at, by_link,
      exists (select from second_factors where user_id = users.id) as has_factor
    from sessions join users on users.id = user_id
    where sha256 = ${value("sha256")}::bytea and codes_left is null and not suspended
      and sessions.created_at > ${value("begun")}::timestamptz and seen_at > ${value("seen")}::timestamptz`,
);

/** Undefined for an unknown, unfinished, ended or expired session, and for that of a suspended account. */
export async function authenticate(db: Db, token: string, now: Date): Promise<Session | undefined> {
  if (!isToken(token)) return undefined;
  const [begun, seen] = [before(now, LIFETIME_MS), before(now, IDLE_MS)];
  const [found] = await find(db, { sha256: digestOf(token), begun, seen });
  if (found === undefined) return undefined;
  if (!db.isTransaction && found.seen_at <= before(now, SEEN_EVERY_MS)) void noteUse(db, found.id, now);
  const { user_id, role, id, confirmed_at, by_link, has_factor } = found;
  const session = { sessionId: id, confirmedAt: confirmed_at, isByLink: by_link, hasFactor: has_factor };
  return { id: user_id, role, ...session };
}

/** A sign-in that waits for a code of the second factor. */
export interface Unfinished {
  id: number;
  userId: number;
  isByLink: boolean;
  /** A change of the password ends the sign-in. */
  passwordHash: string | null;
}

/** Undefined ten minutes after its beginning, and when no code may be tried any more. */
export async function findUnfinished(db: Db, token: string, now: Date): Promise<Unfinished | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<Unfinished>`
    select sessions.id, user_id as "userId", by_link as "isByLink", password_hash as "passwordHash"
    from sessions join users on users.id = user_id join second_factors using (user_id)
    where sha256 = ${digestOf(token)} and codes_left > 0 and not suspended
      and sessions.created_at > ${before(now, UNFINISHED_MS)}`.execute(db);
  return rows[0];
}

export async function spendCode(db: Db, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ codes_left: number }>`
    update sessions set codes_left = codes_left - 1 where id = ${id} and codes_left > 0
    returning codes_left`.execute(db);
  return rows[0]?.codes_left;
}

const before = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** Runs in the background; another request may do the same. */
async function noteUse(db: Db, id: number, now: Date): Promise<void> {
  await sql`
    update sessions set seen_at = ${now} where id = (
      select id from sessions where id = ${id} and seen_at <= ${before(now, SEEN_EVERY_MS)} for update skip locked
    )`
    .execute(db)
    .catch(() => undefined);
}

export function isConfirmed({ confirmedAt }: Session, now: Date): boolean {
  return confirmedAt > before(now, CONFIRMED_MS);
}

/** Those that could be used, the last seen first. */
export function list(db: Db, userId: number, now: Date) {
  return db
    .selectFrom("sessions")
    .select(["id", "created_at", "seen_at", "network", "browser"])
    .where("user_id", "=", userId)
    .where("codes_left", "is", null)
    .where("created_at", ">", before(now, LIFETIME_MS))
    .where("seen_at", ">", before(now, IDLE_MS))
    .orderBy("seen_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export async function end(db: Db, { userId, id }: { userId: number; id: number }): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from sessions where user_id = ${userId} and id = ${id}`.execute(db);
  return numAffectedRows > 0n;
}

/** Ends a session once the writes of its user that run already have ended. */
export function endOwn(db: Db, { id: userId, sessionId: id }: Session): Promise<boolean> {
  return inTransaction(db, { unseen: true }, async (tx) => {
    await lockPermissions(tx, userId);
    return end(tx, { userId, id });
  });
}

/**
 * Ends all sessions of a user, but maybe one, the link that would begin another, and the one that would confirm an address:
 * a thief may have asked for it on a session, and a confirmed address signs in. Returns the number of sessions.
 */
export async function endAll(db: Db, userId: number, except = 0): Promise<number> {
  await links.end(db, userId);
  const { numAffectedRows = 0n } = await sql`
    with address as (update unconfirmed_addresses set requested_at = 'epoch' where user_id = ${userId})
    delete from sessions where user_id = ${userId} and id <> ${except}`.execute(db);
  return Number(numAffectedRows);
}

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from sessions
    where seen_at <= ${before(now, IDLE_MS)} or created_at <= ${before(now, LIFETIME_MS)}
      or codes_left is not null and created_at <= ${before(now, UNFINISHED_MS)}`.execute(db);
}
