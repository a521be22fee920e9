import { sql } from "kysely";
import type { Session } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { FieldsError, invalid } from "../../platform/errors.ts";
import { faultIn } from "../../platform/text/valid-text.ts";
import { toLogin } from "./names.ts";
import { checkPassword, hashPassword, inTurn, isKnownHash } from "./password-hash.ts";
import * as sessions from "./sessions.ts";
import { sentenceOf } from "./suspension.ts";
import * as failures from "./sign-in-failures.ts";
import * as signUps from "./sign-ups.ts";

interface Account {
  id: number;
  password_hash: string | null;
  suspended: boolean;
  email: string | null;
  waits: boolean;
}

/** The account or application with a username or an e-mail address: a confirmed one, or one that nobody else has given. */
async function findByLogin(db: Db, typed: string): Promise<Account | undefined> {
  const login = toLogin(typed);
  if (faultIn(login) !== undefined) return undefined;
  const column = login.includes("@") ? sql`lower(email)` : sql`username`;
  const { rows } = await sql<Account & { rank: number }>`
    select id, password_hash, suspended, email, false as waits, 1 as rank from users where ${column} = lower(${login})
    union all
    select id, password_hash, suspended, null, false, 2 from unconfirmed_addresses join users on users.id = user_id
    where lower(address) = lower(${login}) and email is null
    union all
    select id, password_hash, false, null, true, 2 from sign_ups
    where state = 'applied' and ${column} = lower(${login})
    order by rank limit 2`.execute(db);
  const [found, other] = rows;
  return found?.rank === other?.rank ? undefined : found;
}

export interface SignIn {
  login: string;
  password: string;
  address: string;
  /** Whether failures of an address are limited; those of an account always are. */
  isLimited: boolean;
  /** Suspended people write to this address; may be empty. */
  contact: string;
}

type OwnHash = Pick<Account, "id" | "password_hash" | "suspended">;

/** One sentence, whichever of them is wrong. */
export const WRONG = "Username or password is wrong";

interface SignedIn {
  userId: number;
  passwordHash: string;
}

/**
 * The user whose name, or e-mail address, and password these are. Failures count by what is typed, so that they don't
 * tell whose e-mail address it is.
 * @throws AppError invalid, for a suspended account and an application too; rate_limited after many failures;
 * unavailable when many wait
 */
export function signIn(
  db: Db,
  { login, password, address, isLimited, contact }: SignIn,
  now: Date,
): Promise<SignedIn> {
  const attempt = { account: `login ${toLogin(login)}`, address: isLimited ? address : undefined };
  return inTurn(address, async () => {
    const account = await findByLogin(db, login);
    await failures.note(db, attempt, now);
    const right = await checkOwn(db, account, password);
    if (right === undefined) throw invalid(WRONG);
    await failures.forgive(db, attempt);
    if (account?.waits) throw invalid("Your application waits for an admin or a moderator");
    if (right.suspended)
      throw invalid(
        (await sentenceOf(db, right.userId)) + (contact && ` Write to ${contact} to ask about it.`),
      );
    return { userId: right.userId, passwordHash: right.passwordHash };
  });
}

/**
 * Whether a user who is signed in gives the right password. Failures count for the session alone, so that nobody else
 * can lock it out; the last free one ends it.
 * @throws AppError invalid when it has ended the session; unavailable when many wait
 */
export function isOwnPassword(
  db: Db,
  { session, password, address }: { session: Session; password: string; address: string },
  now: Date,
): Promise<boolean> {
  const attempt = { account: `session ${session.sessionId}`, address: undefined };
  return inTurn(address, async () => {
    const { rows } =
      await sql<OwnHash>`select id, password_hash, suspended from users where id = ${session.id}`.execute(db);
    const failed = await failures.note(db, attempt, now);
    if ((await checkOwn(db, rows[0], password)) !== undefined) {
      await failures.forgive(db, attempt);
      return true;
    }
    if (failed < failures.FREE) return false;
    await sessions.endOwn(db, session);
    throw invalid(`${failures.FREE} wrong passwords have ended this session: sign in again`);
  });
}

/**
 * Undefined for a wrong password. Takes the same time for an account without a password, and for none. Replaces a hash
 * of an older kind.
 */
async function checkOwn(
  db: Db,
  account: OwnHash | undefined,
  password: string,
): Promise<(SignedIn & { suspended: boolean }) | undefined> {
  const { isRight, isOld } = await checkPassword(password, account?.password_hash);
  const { id: userId, password_hash: stored, suspended } = account ?? {};
  if (!isRight || userId === undefined || suspended === undefined || !stored) return undefined;
  if (!isOld) return { userId, passwordHash: stored, suspended };
  const passwordHash = await hashPassword(password);
  await sql`
    update users set password_hash = ${passwordHash} where id = ${userId} and password_hash = ${stored}`.execute(
    db,
  );
  return { userId, passwordHash, suspended };
}

export async function purgeSignIns(db: Db, now: Date): Promise<void> {
  await sessions.purge(db, now);
  await failures.purge(db, now);
  await signUps.purge(db, now);
}

/** Accounts whose stored hash no password can match, such as one of a kind that this program doesn't know. */
export async function withUnknownHash(db: Db): Promise<string[]> {
  const { rows } = await sql<{ username: string; password_hash: string }>`
    select username, password_hash from users
    where password_hash is not null and not starts_with(password_hash, '$argon2id$') order by id`.execute(db);
  return rows.flatMap(({ username, password_hash }) => (isKnownHash(password_hash) ? [] : username));
}

interface Wanted {
  login: string;
  /** The reader's; undefined when limits by address are off. */
  address: string | undefined;
}

/**
 * Mails a link that signs in to the confirmed address of an account, if it isn't suspended. Nothing tells whether there is
 * one: each login costs the same statements.
 * @throws FieldsError for a blank login; AppError rate_limited
 */
export async function askForLink(db: Db, { login, address }: Wanted, now: Date): Promise<void> {
  if (toLogin(login) === "") throw new FieldsError({ login: ["can't be blank"] }, "login can't be blank");
  await failures.noteRequest(db, { to: login, address }, now);
  const account = await findByLogin(db, login);
  const owner = account?.email && !account.suspended ? { userId: account.id } : {};
  const mail = { kind: "sign_in_link", about: {}, ...owner } as const;
  await failures.enqueueLimited(db, { ...mail, to: account?.email ?? `nobody by ${login}` }, now);
}
