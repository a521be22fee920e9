import { sql } from "kysely";
import { violatedUnique } from "../db/failures.ts";
import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import { digestOf, isToken, newToken } from "../tokens.ts";

/** How long a sign-up waits for the link in its mail. */
export const CONFIRM_HOURS = 48;
const DECLINED_DAYS = 30;

/*
 * Sign-ups that wait are no users: no page shows them, and no way to sign in finds them. Their statements stand outside
 * of the program's transactions, which would make kept answers stale.
 */

/** A person who signs up. */
export interface Person {
  username: string;
  name: string;
  email: string;
  passwordHash: string;
  invitationId: number | null;
}

export interface NewSignUp extends Person {
  reason: string;
  network: string;
  /** The path to which the link in the mail leads. */
  next: string;
}

/** Whether a sign-up that waits holds a name. */
export async function holds(db: Db, username: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from sign_ups where username = ${username} and state <> 'declined' and not ${isOver(now)}`.execute(
    db,
  );
  return rows.length > 0;
}

const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - hours * 3_600_000);

const isOver = (now: Date) =>
  sql`(state = 'unconfirmed' and created_at <= ${hoursBefore(now, CONFIRM_HOURS)})`;

const isUnconfirmed = (now: Date) => sql`(state = 'unconfirmed' and not ${isOver(now)})`;

/**
 * Adds one that waits for the link in a mail, or for an admin. Returns with the id the token of the page that the browser
 * shows meanwhile, which is nowhere else.
 * @throws AppError invalid for a name that is taken meanwhile
 */
export async function add(
  tx: Db,
  signUp: NewSignUp,
  { state, now }: { state: "unconfirmed" | "applied"; now: Date },
): Promise<{ id: number; page: string }> {
  const { username, name, email, passwordHash, invitationId, reason, network, next } = signUp;
  const page = newToken();
  await sql`delete from sign_ups where username = ${username} and ${isOver(now)}`.execute(tx);
  try {
    const { rows } = await sql<{ id: number }>`
      insert into sign_ups
        (username, name, email, password_hash, invitation_id, reason, network, next, state, page_sha256, created_at)
      values (${username}, ${name}, ${email}, ${passwordHash}, ${invitationId}, ${reason}, ${network}, ${next},
        ${state}, ${digestOf(page)}, ${now})
      returning id`.execute(tx);
    return { id: rows[0]?.id ?? 0, page };
  } catch (error) {
    if (violatedUnique(error) === "sign_ups_username") throw invalid("Username has already been taken");
    throw error;
  }
}

/**
 * Checks that a person may apply now. While an address isn't confirmed, it is compared together with the username.
 * @throws AppError invalid for one who waits already, or was declined in the last day
 */
export async function checkApplicant(
  tx: Db,
  { email, username, isConfirmed }: Pick<Applied, "email" | "username" | "isConfirmed">,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ state: string }>`
    select state from sign_ups where lower(email) = lower(${email})
      and (${isConfirmed} or username = ${username})
      and (state = 'applied' or decided_at > ${hoursBefore(now, 24)})
    order by id desc limit 1`.execute(tx);
  const [last] = rows;
  if (last?.state === "applied") throw invalid("An application with this address waits already");
  if (last) throw invalid("An application with this address was declined today: apply again in a day");
}

interface Shown {
  email: string;
  state: "unconfirmed" | "applied" | "declined";
  /** Why it was declined. */
  reason: string;
  /** The only address that may join by its invitation. */
  invited: string | null;
}

/** The sign-up of a page; undefined for an unknown token, and for one that is over. */
export async function findByPage(db: Db, page: string, now: Date): Promise<Shown | undefined> {
  if (!isToken(page)) return undefined;
  const { rows } = await sql<Shown>`
    select email, state, coalesce(decline_reason, '') as reason,
      (select address from invitations where id = invitation_id) as invited
    from sign_ups where page_sha256 = ${digestOf(page)} and not ${isOver(now)}`.execute(db);
  return rows[0];
}

/** Gives a sign-up that waits for its mail another address, or the same one, for another mail; the last link ends. */
export async function readdress(
  tx: Db,
  { page, email }: { page: string; email: string },
  now: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    update sign_ups set email = ${email}, token_sha256 = null
    where page_sha256 = ${digestOf(page)} and ${isUnconfirmed(now)} returning id`.execute(tx);
  return rows[0]?.id;
}

/** Makes the token of the link in a mail to an address; undefined for a sign-up that waits no more, or has another. */
export async function createLink(
  db: Db,
  { id, address }: { id: number; address: string },
  now: Date,
): Promise<{ token: string; username: string } | undefined> {
  const token = newToken();
  const { rows } = await sql<{ username: string }>`
    update sign_ups set token_sha256 = ${digestOf(token)}
    where id = ${id} and email = ${address} and ${isUnconfirmed(now)} returning username`.execute(db);
  return rows[0] && { token, ...rows[0] };
}

export interface Unconfirmed extends Person {
  id: number;
  next: string;
}

/** The sign-up whose link works, locked until a transaction of `tx` ends. */
export async function findByLink(tx: Db, token: string, now: Date): Promise<Unconfirmed | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await sql<Unconfirmed>`
    select id, username, name, email, password_hash as "passwordHash", invitation_id as "invitationId", next
    from sign_ups where token_sha256 = ${digestOf(token)} and ${isUnconfirmed(now)} for update`.execute(tx);
  return rows[0];
}

export async function remove(tx: Db, id: number): Promise<void> {
  await sql`delete from sign_ups where id = ${id}`.execute(tx);
}

/** Lets one that was confirmed wait for an admin. Returns the token of its page. */
export async function apply(tx: Db, id: number): Promise<string> {
  const page = newToken();
  await sql`
    update sign_ups
    set state = 'applied', is_confirmed = true, token_sha256 = null, page_sha256 = ${digestOf(page)}
    where id = ${id}`.execute(tx);
  return page;
}

/** Those that wait for an admin or moderator, the oldest first. */
export async function listApplied(db: Db) {
  const { rows } = await sql<{
    id: number;
    username: string;
    name: string;
    domain: string;
    reason: string;
    network: string;
    created_at: Date;
  }>`
    select id, username, name, split_part(email, '@', 2) as domain, reason, network, created_at
    from sign_ups where state = 'applied' order by id limit 200`.execute(db);
  return rows;
}

export async function countApplied(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sign_ups where state = 'applied'`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface Applied extends Person {
  isConfirmed: boolean;
}

/** Takes an application out to make an account of it; undefined when another person has decided it. */
export async function take(tx: Db, id: number): Promise<Applied | undefined> {
  const { rows } = await sql<Applied>`
    delete from sign_ups where id = ${id} and state = 'applied'
    returning username, name, email, password_hash as "passwordHash", null as "invitationId",
      is_confirmed as "isConfirmed"`.execute(tx);
  return rows[0];
}

/** Undefined when another person has decided it. */
export async function decline(
  tx: Db,
  { id, reason }: { id: number; reason: string },
  now: Date,
): Promise<{ email: string; isConfirmed: boolean } | undefined> {
  const { rows } = await sql<{ email: string; isConfirmed: boolean }>`
    update sign_ups set state = 'declined', decline_reason = ${reason}, decided_at = ${now}, password_hash = ''
    where id = ${id} and state = 'applied' returning email, is_confirmed as "isConfirmed"`.execute(tx);
  return rows[0];
}

/** What the mail to a person who was declined says. */
export async function findDeclined(
  db: Db,
  id: number,
): Promise<{ username: string; reason: string } | undefined> {
  const { rows } = await sql<{ username: string; reason: string }>`
    select username, decline_reason as reason from sign_ups where id = ${id} and state = 'declined'`.execute(
    db,
  );
  return rows[0];
}

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from sign_ups
    where ${isOver(now)} or decided_at <= ${hoursBefore(now, DECLINED_DAYS * 24)}`.execute(db);
}
