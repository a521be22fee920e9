import { type Insertable, type Selectable, sql } from "kysely";
import { violatedUnique } from "../db/failures.ts";
import type { Db } from "../db/connect.ts";
import { rowsOf } from "../db/rows.ts";
import type { SignUps } from "../db/tables.ts";
import { countRows, isAny } from "../db/values.ts";
import { invalid } from "../errors.ts";
import { digestOf, isToken, newToken } from "../tokens.ts";

/** How long a sign-up waits for the link in its mail. */
export const CONFIRM_HOURS = 48;
const DECLINED_DAYS = 30;

/*
 * Sign-ups that wait are no users: no page shows them, and no way to sign in finds them. Their statements stand outside
 * of the program's transactions, which would make kept answers stale.
 */

type SignUp = Selectable<SignUps>;
export type NewSignUp = Omit<Insertable<SignUps>, "state" | "page_sha256" | "created_at">;
export type Unconfirmed = SignUp;

/** The columns of a sign-up that an account gets. */
export type Person = Pick<
  SignUp,
  "username" | "name" | "email" | "password_hash" | "invitation_id" | "is_confirmed"
>;

const { insert, update } = rowsOf("sign_ups");

/** Whether a sign-up that waits holds a name. */
export function holds(db: Db, username: string, now: Date): Promise<boolean> {
  const named = db.selectFrom("sign_ups").select("id").where("username", "=", username);
  return isAny(named.where("state", "<>", "declined").where(sql<boolean>`not ${isOver(now)}`));
}

const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - hours * 3_600_000);

const isOver = (now: Date) =>
  sql<boolean>`(state = 'unconfirmed' and created_at <= ${hoursBefore(now, CONFIRM_HOURS)})`;

const isUnconfirmed = (now: Date) => sql<boolean>`(state = 'unconfirmed' and not ${isOver(now)})`;

/**
 * Adds one that waits for the link in a mail, or for an admin. Returns with the id the token of the page that the browser
 * shows meanwhile, which is nowhere else.
 * @throws AppError invalid for a name that is taken meanwhile
 */
export async function add(
  tx: Db,
  signUp: NewSignUp,
  { state, page = newToken(), now }: { state: "unconfirmed" | "applied"; page?: string; now: Date },
): Promise<{ id: number; page: string }> {
  await tx.deleteFrom("sign_ups").where("username", "=", signUp.username).where(isOver(now)).execute();
  try {
    const id = await insert(tx, { ...signUp, state, page_sha256: digestOf(page), created_at: now });
    return { id, page };
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
  { email, username, is_confirmed }: Person,
  now: Date,
): Promise<void> {
  const { rows } = await sql<Pick<SignUp, "state">>`
    select state from sign_ups where lower(email) = lower(${email})
      and (${is_confirmed} or username = ${username})
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
  const changed = tx.updateTable("sign_ups").set({ email, token_sha256: null }).where(isUnconfirmed(now));
  return (await changed.where("page_sha256", "=", digestOf(page)).returning("id").executeTakeFirst())?.id;
}

/** Makes the token of the link in a mail to an address; undefined for a sign-up that waits no more, or has another. */
export async function createLink(
  db: Db,
  { id, address: email }: { id: number; address: string },
  now: Date,
): Promise<{ token: string; username: string } | undefined> {
  const token = newToken();
  const changed = db
    .updateTable("sign_ups")
    .set({ token_sha256: digestOf(token) })
    .where(isUnconfirmed(now));
  const ofIt = changed.where((eb) => eb.and({ id, email }));
  const found = await ofIt.returning("username").executeTakeFirst();
  return found && { token, ...found };
}

/** The sign-up whose link works, locked until a transaction of `tx` ends. */
export async function findByLink(tx: Db, token: string, now: Date): Promise<Unconfirmed | undefined> {
  if (!isToken(token)) return undefined;
  const linked = tx.selectFrom("sign_ups").selectAll().where("token_sha256", "=", digestOf(token));
  return linked.where(isUnconfirmed(now)).forUpdate().executeTakeFirst();
}

export async function remove(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom("sign_ups").where("id", "=", id).execute();
}

/** Lets one that was confirmed wait for an admin. Returns the token of its page. */
export async function apply(tx: Db, id: number): Promise<string> {
  const page = newToken();
  const change = { state: "applied", is_confirmed: true, token_sha256: null, page_sha256: digestOf(page) };
  await update(tx, id, change);
  return page;
}

/** Those that wait for an admin or moderator, the oldest first. */
export function listApplied(db: Db) {
  return db
    .selectFrom("sign_ups")
    .select(["id", "username", "name", "reason", "network", "created_at"])
    .select(sql<string>`split_part(email, '@', 2)`.as("domain"))
    .where("state", "=", "applied")
    .orderBy("id")
    .limit(200)
    .execute();
}

export function countApplied(db: Db): Promise<number> {
  return countRows(db.selectFrom("sign_ups").where("state", "=", "applied"));
}

/** Takes an application out to make an account of it; undefined when another person has decided it. */
export function take(tx: Db, id: number): Promise<SignUp | undefined> {
  return tx
    .deleteFrom("sign_ups")
    .where((eb) => eb.and({ id, state: "applied" }))
    .returningAll()
    .executeTakeFirst();
}

/** Undefined when another person has decided it. */
export function decline(tx: Db, { id, reason }: { id: number; reason: string }, now: Date) {
  return tx
    .updateTable("sign_ups")
    .set({ state: "declined", decline_reason: reason, decided_at: now, password_hash: "" })
    .where((eb) => eb.and({ id, state: "applied" }))
    .returning(["email", "is_confirmed"])
    .executeTakeFirst();
}

/** What the mail to a person who was declined says. */
export function findDeclined(db: Db, id: number) {
  const declined = db.selectFrom("sign_ups").where((eb) => eb.and({ id, state: "declined" }));
  return declined.select(["username", "decline_reason"]).executeTakeFirst();
}

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from sign_ups
    where ${isOver(now)} or decided_at <= ${hoursBefore(now, DECLINED_DAYS * 24)}`.execute(db);
}
