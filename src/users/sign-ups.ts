import { sql } from "kysely";
import { violatedUnique } from "../db/failures.ts";
import type { Db } from "../db/connect.ts";
import { FieldsError } from "../errors.ts";
import { digestOf, newToken } from "../tokens.ts";

const UNCONFIRMED_HOURS = 48;
const DECLINED_DAYS = 30;

/*
 * Sign-ups that wait are no users: no page shows them, and no way to sign in finds them. Their statements stand outside
 * of the program's transactions, which would make kept answers stale.
 */

interface NewSignUp {
  username: string;
  name: string;
  email: string;
  passwordHash: string;
  reason: string;
  network: string;
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
  sql`(state = 'unconfirmed' and created_at <= ${hoursBefore(now, UNCONFIRMED_HOURS)})`;

/** @throws FieldsError for an address that waits, or was declined in the last day; for a name that is taken meanwhile */
export async function apply(tx: Db, signUp: NewSignUp, now: Date): Promise<void> {
  const { username, name, email, passwordHash, reason, network } = signUp;
  await sql`delete from sign_ups where username = ${username} and ${isOver(now)}`.execute(tx);
  const earlier = await sql<{ state: string }>`
    select state from sign_ups where lower(email) = lower(${email})
      and (state = 'applied' or decided_at > ${hoursBefore(now, 24)})
    order by id desc limit 1`.execute(tx);
  const [last] = earlier.rows;
  if (last?.state === "applied") throw ofField("email", "belongs to an application that waits already");
  if (last) throw ofField("email", "was declined today: apply again in a day");
  try {
    await sql`
      insert into sign_ups (username, name, email, password_hash, reason, network, state, page_sha256, created_at)
      values (${username}, ${name}, ${email}, ${passwordHash}, ${reason}, ${network}, 'applied',
        ${digestOf(newToken())}, ${now})`.execute(tx);
  } catch (error) {
    if (violatedUnique(error) === "sign_ups_username") throw ofField("username", "has already been taken");
    throw error;
  }
}

const ofField = (field: string, words: string) => new FieldsError({ [field]: [words] }, `${field} ${words}`);

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

/** Takes an application out to make an account of it; undefined when another person has decided it. */
export async function take(tx: Db, id: number): Promise<Omit<NewSignUp, "reason" | "network"> | undefined> {
  const { rows } = await sql<Omit<NewSignUp, "reason" | "network">>`
    delete from sign_ups where id = ${id} and state = 'applied'
    returning username, name, email, password_hash as "passwordHash"`.execute(tx);
  return rows[0];
}

/** False when another person has decided it. */
export async function decline(
  tx: Db,
  { id, reason }: { id: number; reason: string },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update sign_ups set state = 'declined', decline_reason = ${reason}, decided_at = ${now}, password_hash = ''
    where id = ${id} and state = 'applied'`.execute(tx);
  return numAffectedRows > 0n;
}

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from sign_ups
    where ${isOver(now)} or decided_at <= ${hoursBefore(now, DECLINED_DAYS * 24)}`.execute(db);
}
