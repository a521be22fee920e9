import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { violatedUnique } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import * as mails from "../mail/queue.ts";
import { digestOf, isToken, newToken } from "../tokens.ts";
import * as links from "./one-time-links.ts";
import { enqueueLimited } from "./sign-in-failures.ts";
import { CONFIRM_HOURS } from "./sign-ups.ts";

/* Transactions lock the user first. */

interface Given {
  userId: number;
  address: string;
}

interface Addresses {
  confirmed: string | null;
  /** One that isn't confirmed. */
  waiting: string | null;
  /** Until when its link works. */
  until: Date | null;
}

export async function find(db: Db, userId: number): Promise<Addresses> {
  const { rows } = await sql<Addresses>`
    select email as confirmed, address as waiting, ${CONFIRM_END} as until
    from users left join unconfirmed_addresses on user_id = users.id where users.id = ${userId}`.execute(db);
  return rows[0] ?? { confirmed: null, waiting: null, until: null };
}

const CONFIRM_END = sql`requested_at + ${`${CONFIRM_HOURS} hours`}::interval`;

/** Notes an address that a user has given, in place of one that waits already. */
export async function wait(tx: Db, { userId, address }: Given, now: Date): Promise<void> {
  await sql`
    insert into unconfirmed_addresses as own (user_id, address, requested_at) values (${userId}, ${address}, ${now})
    on conflict (user_id) do update
    set address = excluded.address, requested_at = excluded.requested_at,
      token_sha256 = case when own.address = excluded.address then own.token_sha256 end`.execute(tx);
}

/** Notes an address in the same way, and mails it the link that confirms it. */
export async function askToConfirm(tx: Db, given: Given, now: Date): Promise<void> {
  await wait(tx, given, now);
  await enqueueLimited(tx, { kind: "confirm_address", ...given, to: given.address, about: {} }, now);
}

/** Forgets the address of a user that waits. */
export async function cancel(tx: Db, userId: number): Promise<void> {
  await sql`delete from unconfirmed_addresses where user_id = ${userId}`.execute(tx);
}

interface Waiting {
  username: string;
  address: string;
  until: Date;
  /** Another user, who has confirmed the address. */
  holder: string | null;
}

const WAITING = sql`
  select username, address, ${CONFIRM_END} as until,
    (select username from users as others where lower(email) = lower(address) and others.id <> user_id) as holder
  from unconfirmed_addresses join users on users.id = user_id`;

/** An address that still waits; undefined for any other. */
export async function findWaiting(db: Db, given: Given, now: Date): Promise<Waiting | undefined> {
  const { userId, address } = given;
  const { rows } = await sql<Waiting>`
    ${WAITING} where user_id = ${userId} and address = ${address} and ${CONFIRM_END} > ${now}`.execute(db);
  return rows[0];
}

/** Makes the token of the link that confirms an address, in place of the last one; it is nowhere else. */
export async function createLink(db: Db, { userId, address }: Given): Promise<string> {
  const token = newToken();
  await sql`
    update unconfirmed_addresses set token_sha256 = ${digestOf(token)}
    where user_id = ${userId} and address = ${address}`.execute(db);
  return token;
}

/** Which address a link confirms; undefined for one that doesn't work, and for a suspended account. */
export async function findByLink(db: Db, token: string, now: Date): Promise<Waiting | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<Waiting>`
    ${WAITING} where token_sha256 = ${digestOf(token)} and ${CONFIRM_END} > ${now} and not suspended`.execute(
    db,
  );
  return rows[0];
}

/** `dead`: the link doesn't work. `taken`: another account has the address, and nothing is changed. */
export type Outcome = "done" | "dead" | "taken";

/** Gives a user the address that a link confirms, once. */
export async function confirm(db: Db, token: string, now: Date): Promise<Outcome> {
  try {
    return await inTransaction(db, { unseen: true }, async (tx) => {
      const digest = isToken(token) ? digestOf(token) : null;
      const user = await lockUser(
        tx,
        sql`select user_id from unconfirmed_addresses where token_sha256 = ${digest} and ${CONFIRM_END} > ${now}`,
      );
      if (user === undefined || user.suspended) return "dead";
      const { rows } = await sql<{ address: string }>`
        delete from unconfirmed_addresses where token_sha256 = ${digest} returning address`.execute(tx);
      const [used] = rows;
      if (used === undefined) return "dead";
      await replace(tx, user, used.address, now);
      return "done";
    });
  } catch (error) {
    if (violatedUnique(error) === "users_email") return "taken";
    throw error;
  }
}

/** Removes the confirmed address of a user. */
export async function remove(tx: Db, userId: number, now: Date): Promise<void> {
  const user = await lockUser(tx, sql`${userId}`);
  if (user !== undefined) await replace(tx, user, null, now);
}

interface User {
  id: number;
  email: string | null;
  suspended: boolean;
}

async function lockUser(tx: Db, id: ReturnType<typeof sql>): Promise<User | undefined> {
  const { rows } = await sql<User>`
    select id, email, suspended from users where id = (${id}) for no key update`.execute(tx);
  return rows[0];
}

const areSame = (one: string | null, other: string | null) => one?.toLowerCase() === other?.toLowerCase();

/** The old address gets a mail. A sign-in link that it has got ends. */
async function replace(tx: Db, user: User, address: string | null, now: Date): Promise<void> {
  const { id: userId, email: old } = user;
  await sql`update users set email = ${address} where id = ${userId}`.execute(tx);
  if (old === null || areSame(old, address)) return;
  await links.end(tx, userId);
  await mails.enqueue(tx, { kind: "address_changed", userId, address: old, about: {} }, now);
}

/**
 * Removes the confirmed address of a user from rows that aren't the user's: mails before there was an account, sign-ups,
 * and invitations, which end. An unconfirmed address may be another person's.
 */
export async function forget(tx: Db, userId: number, now: Date): Promise<void> {
  await sql`
    with own as (
      select lower(email) as address from users where id = ${userId}
    ),
    mailed as (delete from mails where user_id is null and lower(address) in (select address from own)),
    asked as (delete from sign_ups where lower(email) in (select address from own))
    update invitations set address = null, revoked_at = coalesce(revoked_at, ${now})
    where lower(address) in (select address from own)`.execute(tx);
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
