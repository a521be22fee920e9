import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../limits/addresses.ts";
import type { Kind } from "../mail/kinds.ts";
import { enqueueEach, type NewMail, readerOf } from "../mail/queue.ts";
import { count } from "../text/sentences.ts";
import { toLogin } from "./logins.ts";

/** Failures of an account that cost no time. From then on each one doubles the wait, beginning with 2 seconds. */
export const FREE = 5;
const LONGEST_WAIT_SECONDS = 900;
const FORGOTTEN_SECONDS = 86_400;
/** Failures of a network, from the first one on. */
const OF_NETWORK = { most: 25, windowSeconds: 300 };
/** Sign-ups of a network. */
const SIGN_UPS = { most: 5, windowSeconds: 1_800 };
const MAILS_TO_ADDRESS = { most: 5, windowSeconds: 1_800 };
const MAILS_OF_NETWORK = { most: 20, windowSeconds: 3_600 };

/** Whose failures count together. */
export interface Attempt {
  /** Names an account, also one that doesn't exist. */
  account: string;
  /** Undefined when limits by address are off. */
  address: string | undefined;
}

/** As a row that counts stands before and after one more failure. */
interface Rule {
  /** Whether its failures are forgotten. */
  isOver: RawBuilder<boolean>;
  /** How many seconds from `since`, or from now, attempts are refused. */
  blockedUntil: RawBuilder<Date>;
}

const digest = (text: string) => createHash("sha256").update(text).digest();
const seconds = (number: RawBuilder<number> | number) => sql`${number} * interval '1 second'`;

function ruleOfAccounts(now: Date): Rule {
  const power = sql<number>`2 ^ least(own.failures + ${1 - FREE + 1}, 10)`;
  const wait = sql<number>`case when own.failures + 1 < ${FREE} then 0 else least(${LONGEST_WAIT_SECONDS}, ${power}) end`;
  return {
    isOver: sql`own.blocked_until + ${seconds(FORGOTTEN_SECONDS)} <= ${now}`,
    blockedUntil: sql`${now}::timestamptz + ${seconds(wait)}`,
  };
}

/** So many in a window of time, from the first one on. */
function ruleOfWindow(now: Date, { most, windowSeconds } = OF_NETWORK): Rule {
  const end = sql`own.since + ${seconds(windowSeconds)}`;
  return {
    isOver: sql`${end} <= ${now}`,
    blockedUntil: sql`case when own.failures + 1 < ${most} then ${now} else ${end} end`,
  };
}

/**
 * Counts a failure before the password is checked, so that a hundred attempts at once are no more than one after the
 * other; `forgive` takes it back. No statement belongs to a transaction of the program, which would make kept answers
 * stale.
 * Returns the failures of the account.
 * @throws AppError rate_limited, with the time to wait
 */
export async function note(db: Db, { account, address }: Attempt, now: Date): Promise<number> {
  if (address !== undefined) await noteOne(db, networkKey(address), now, ruleOfWindow(now));
  return noteOne(db, accountKey(account), now, ruleOfAccounts(now));
}

/**
 * Counts a sign-up of a network in the same way.
 * @throws AppError rate_limited, with the time to wait
 */
export async function noteSignUp(db: Db, address: string, now: Date): Promise<void> {
  const key = digest(`sign-up ${networkOf(address)}`);
  await noteOne(db, key, now, ruleOfWindow(now, SIGN_UPS), "sign-ups from your network");
}

interface MailRequest {
  /** An address, or a login as it was typed. */
  to: string;
  /** Undefined when limits by address are off. */
  address: string | undefined;
}

/**
 * Counts a mail that a form asks for, whatever its kind: of the network, and by what was typed.
 * @throws AppError rate_limited, with the time to wait
 */
export async function noteMailRequest(db: Db, { to, address }: MailRequest, now: Date): Promise<void> {
  if (address !== undefined) {
    const key = digest(`mails of ${networkOf(address)}`);
    await noteOne(db, key, now, ruleOfWindow(now, MAILS_OF_NETWORK), "mails from your network");
  }
  const key = digest(`mails for ${toLogin(to)}`);
  await noteOne(db, key, now, ruleOfWindow(now, MAILS_TO_ADDRESS), "mails to this address");
}

/**
 * Adds a mail that a form has asked for, unless its address has got too many, whatever was typed. No answer may say so,
 * which would tell whose address it is. One without a user and an address is counted, and not added.
 */
export async function enqueueLimited<Of extends Kind>(
  db: Db,
  { to, ...mail }: NewMail<Of> & { to: string },
  now: Date,
): Promise<void> {
  const key = digest(`mails to ${toLogin(to)}`);
  const counted = counting(key, now, ruleOfWindow(now, MAILS_TO_ADDRESS));
  const reader = sql`${readerOf(mail)} from counted where ${mail.userId !== undefined || mail.address !== undefined}`;
  await sql`
    with counted as (${counted}), told as (${enqueueEach(mail.kind, reader, now)})
    select from counted`.execute(db);
}

async function noteOne(
  db: Db,
  key: Buffer,
  now: Date,
  rule: Rule,
  noun = "attempts to sign in",
): Promise<number> {
  const [noted] = (await counting(key, now, rule).execute(db)).rows;
  if (noted === undefined) throw await refusal(db, key, now, noun);
  return noted.failures;
}

function counting(key: Buffer, now: Date, { isOver, blockedUntil }: Rule): RawBuilder<{ failures: number }> {
  return sql`
    insert into sign_in_failures as own (sha256, failures, since, blocked_until)
    values (${key}, 1, ${now}, ${now})
    on conflict (sha256) do update set
      failures = case when ${isOver} then 1 else own.failures + 1 end,
      since = case when ${isOver} then excluded.since else own.since end,
      blocked_until = case when ${isOver} then excluded.blocked_until else ${blockedUntil} end
    where own.blocked_until <= ${now}
    returning failures`;
}

async function refusal(db: Db, key: Buffer, now: Date, noun: string): Promise<AppError> {
  const query = db.selectFrom("sign_in_failures").select("blocked_until").where("sha256", "=", key);
  const until = (await query.executeTakeFirst())?.blocked_until ?? now;
  const wait = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  const time = wait < 60 ? count(wait, "second") : count(Math.ceil(wait / 60), "minute");
  return new AppError("rate_limited", `There were too many ${noun}. Try again in ${time}.`, {
    retryAfterSeconds: wait,
  });
}

/** Forgets the failures of an account, and that of its network which `note` has counted. */
export async function forgive(db: Db, { account, address }: Attempt): Promise<void> {
  const network = address === undefined ? null : networkKey(address);
  await sql`
    with forgotten as (delete from sign_in_failures where sha256 = ${accountKey(account)})
    update sign_in_failures set failures = greatest(0, failures - 1), blocked_until = since
    where sha256 = ${network}`.execute(db);
}

const accountKey = (account: string) => digest(`account ${account}`);
const networkKey = (address: string) => digest(`network ${networkOf(address)}`);

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from sign_in_failures where blocked_until + ${seconds(FORGOTTEN_SECONDS)} <= ${now}`.execute(db);
}
