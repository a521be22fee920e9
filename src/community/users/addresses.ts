import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { violatedUnique } from "../../platform/db/failures.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as mails from "../../mail/queue.ts";
import { openToken, signToken } from "../../mail/signed-tokens.ts";
import * as links from "./one-time-links.ts";
import { enqueueLimited } from "./sign-in-failures.ts";

/* Transactions lock the user first. */

/** How long a link in an email proves an address. */
export const CONFIRM_HOURS = 48;

interface Given {
  userId: number;
  address: string;
}

interface Addresses {
  confirmed: string | null;
  waiting: string | null;
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
  // A server of the version before finds a link by the row, which must not get another address.
  await sql`delete from unconfirmed_addresses where user_id = ${userId} and address <> ${address}`.execute(
    tx,
  );
  await sql`
    insert into unconfirmed_addresses (user_id, address, requested_at) values (${userId}, ${address}, ${now})
    on conflict (user_id) do update
    set address = excluded.address, requested_at = excluded.requested_at`.execute(tx);
}

/** Notes an address in the same way, and mails it the link that confirms it. */
export async function askToConfirm(tx: Db, given: Given, now: Date): Promise<void> {
  await wait(tx, given, now);
  await enqueueLimited(tx, { kind: "confirm_address", ...given, to: given.address, about: {} }, now);
}

export async function cancel(tx: Db, userId: number): Promise<void> {
  await sql`delete from unconfirmed_addresses where user_id = ${userId}`.execute(tx);
}

interface Waiting extends Given {
  username: string;
  until: Date;
  /** Another user, who has confirmed the address. */
  holder: string | null;
  /** The state that the link signs: giving an address again ends the last link. */
  state: string;
}

/** The address of a user that waits; undefined for a suspended one too. */
async function waitingOf(db: Db, id: number): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    select user_id as "userId", username, address, ${CONFIRM_END} as until,
      (select username from users as others where lower(email) = lower(address) and others.id <> user_id) as holder,
      concat(extract(epoch from requested_at), ' ', address) as state
    from unconfirmed_addresses join users on users.id = user_id
    where user_id = ${id} and not suspended`.execute(db);
  return rows[0];
}

export async function findWaiting(
  db: Db,
  { userId, address }: Given,
  now: Date,
): Promise<Waiting | undefined> {
  const waiting = await waitingOf(db, userId);
  return waiting?.address === address && waiting.until > now ? waiting : undefined;
}

export async function createLink(db: Db, { userId }: Given): Promise<string> {
  const { state, until: end } = (await waitingOf(db, userId)) ?? {};
  return signToken(db, { purpose: "confirm address", id: userId, state, end });
}

/** Which address a link confirms; undefined for one that doesn't work, and for a suspended account. */
export function findByLink(db: Db, token: string, now: Date): Promise<Waiting | undefined> {
  return openToken(db, { token, purpose: "confirm address", now }, (id) => waitingOf(db, id));
}

/** `dead`: the link doesn't work. `taken`: another account has the address, and nothing is changed. */
export type Outcome = "done" | "dead" | "taken";

/** Gives a user the address that their link confirms, once. */
export async function confirm(
  db: Db,
  { userId, token }: { userId: number; token: string },
  now: Date,
): Promise<Outcome> {
  try {
    return await inTransaction(db, { unseen: true }, async (tx) => {
      const user = await lockUser(tx, userId);
      // Another request may have used the link before.
      const waiting = await findByLink(tx, token, now);
      if (user === undefined || waiting === undefined) return "dead";
      await cancel(tx, user.id);
      await replace(tx, user, waiting.address, now);
      return "done";
    });
  } catch (error) {
    if (violatedUnique(error) === "users_email") return "taken";
    throw error;
  }
}

export async function remove(tx: Db, userId: number, now: Date): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user !== undefined) await replace(tx, user, null, now);
}

interface User {
  id: number;
  email: string | null;
}

async function lockUser(tx: Db, id: number): Promise<User | undefined> {
  const { rows } = await sql<User>`
    select id, email from users where id = ${id} for no key update`.execute(tx);
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

export async function ownerOf(
  db: Db,
  address: string,
): Promise<{ id: number; username: string; suspended: boolean } | undefined> {
  const { rows } = await sql<{ id: number; username: string; suspended: boolean }>`
    select id, username, suspended from users where lower(email) = lower(${address})`.execute(db);
  return rows[0];
}
