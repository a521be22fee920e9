import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/limits/networks.ts";
import type { Kind } from "../../mail/kinds.ts";
import { enqueueEach, type NewMail, readerOf } from "../../mail/queue.ts";
import { count } from "../../platform/text/sentences.ts";
import { toLogin } from "./names.ts";

/** Failures of an account that cost no time. From then on each one doubles the wait, beginning with 2 seconds. */
export const FREE = 5;
const LONGEST_WAIT_SECONDS = 900;
const FORGOTTEN_SECONDS = 86_400;

/** So many in a window of time, from the first one on. */
interface Window {
  /** Names it, also in refusals. */
  noun: string;
  most: number;
  minutes: number;
}

const SIGN_INS: Window = { noun: "attempts to sign in", most: 25, minutes: 5 };
const SIGN_UPS: Window = { noun: "sign-ups from your network", most: 5, minutes: 30 };
const MAILS_OF_NETWORK: Window = { noun: "emails from your network", most: 20, minutes: 60 };
const MAILS_ASKED_FOR: Window = { noun: "emails to this address", most: 5, minutes: 30 };
const MAILS_ADDED: Window = { ...MAILS_ASKED_FOR, noun: "emails that were added" };

export interface Attempt {
  /** Names an account, also one that doesn't exist. */
  account: string;
  /** Undefined when limits by address are off. */
  address: string | undefined;
}

/** A row that counts, as it stands before one more failure and after it. */
interface Limit {
  sha256: Buffer;
  noun: string;
  /** Requests that come together aren't counted in the order of their times, so as many pass at any time. */
  most: number;
  isOver: RawBuilder<boolean>;
  /** Attempts are refused until this moment, once there are as many. */
  blockedUntil: RawBuilder<Date>;
}

const digest = (text: string) => createHash("sha256").update(text).digest();
const accountKey = (account: string) => digest(`account ${account}`);
const keyOf = ({ noun }: Window, whose: string) => digest(`${noun} ${whose}`);
const seconds = (number: RawBuilder<number> | number) => sql`${number} * interval '1 second'`;

function limitOfAccount(account: string, now: Date): Limit {
  const power = sql<number>`2 ^ least(own.failures + ${1 - FREE + 1}, 10)`;
  const wait = sql<number>`case when own.failures + 1 < ${FREE} then 0 else least(${LONGEST_WAIT_SECONDS}, ${power}) end`;
  return {
    sha256: accountKey(account),
    noun: SIGN_INS.noun,
    most: FREE,
    isOver: sql`own.blocked_until + ${seconds(FORGOTTEN_SECONDS)} <= ${now}`,
    blockedUntil: sql`${now}::timestamptz + ${seconds(wait)}`,
  };
}

function limitOf(window: Window, whose: string, now: Date): Limit {
  const { noun, most, minutes } = window;
  const end = sql`own.since + ${seconds(60 * minutes)}`;
  return {
    sha256: keyOf(window, whose),
    noun,
    most,
    isOver: sql`${end} <= ${now}`,
    blockedUntil: sql`case when own.failures + 1 < ${most} then ${now} else ${end} end`,
  };
}

const limitsOfNetwork = (window: Window, address: string | undefined, now: Date): Limit[] =>
  address === undefined ? [] : [limitOf(window, networkOf(address), now)];

/**
 * Counts a failure before the password is checked, so that a hundred attempts at once are no more than one after the
 * other; `forgive` takes it back.
 * Returns the failures of the account.
 * @throws AppError rate_limited, with the time to wait
 */
export function note(db: Db, { account, address }: Attempt, now: Date): Promise<number> {
  return noteAll(db, [...limitsOfNetwork(SIGN_INS, address, now), limitOfAccount(account, now)], now);
}

interface FormRequest {
  /** An address, or a login as it was typed; undefined for a form that sends no mail. */
  to: string | undefined;
  address: string | undefined;
  isSignUp?: boolean;
}

/**
 * Counts a sign-up of a network, and a mail that a form asks for, whatever its kind: of the network, and by what was
 * typed.
 * @throws AppError rate_limited, with the time to wait
 */
export async function noteRequest(db: Db, { to, address, isSignUp }: FormRequest, now: Date): Promise<void> {
  const limits = isSignUp ? limitsOfNetwork(SIGN_UPS, address, now) : [];
  if (to !== undefined)
    limits.push(
      ...limitsOfNetwork(MAILS_OF_NETWORK, address, now),
      limitOf(MAILS_ASKED_FOR, toLogin(to), now),
    );
  await noteAll(db, limits, now);
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
  const counted = counting(limitOf(MAILS_ADDED, toLogin(to), now), now);
  const reader = sql`${readerOf(mail)} from counted where ${mail.userId !== undefined || mail.address !== undefined}`;
  await sql`
    with counted as (${counted}), told as (${enqueueEach(mail.kind, reader, now)})
    select from counted`.execute(db);
}

/**
 * Counts for each limit, or for none when one refuses. Returns the count of the last limit.
 * @throws AppError rate_limited, with the longest time to wait
 */
function noteAll(db: Db, limits: readonly Limit[], now: Date): Promise<number> {
  return inTransaction(db, { unseen: true }, async (tx) => {
    let failures = 0;
    const refusing: Limit[] = [];
    for (const limit of limits) {
      const [noted] = (await counting(limit, now).execute(tx)).rows;
      if (noted === undefined) refusing.push(limit);
      else failures = noted.failures;
    }
    if (refusing.length > 0) throw await refusal(tx, refusing, now);
    return failures;
  });
}

function counting(
  { sha256, most, isOver, blockedUntil }: Limit,
  now: Date,
): RawBuilder<{ failures: number }> {
  return sql`
    insert into sign_in_failures as own (sha256, failures, since, blocked_until)
    values (${sha256}, 1, ${now}, ${now})
    on conflict (sha256) do update set
      failures = case when ${isOver} then 1 else own.failures + 1 end,
      since = case when ${isOver} then excluded.since else own.since end,
      blocked_until = case when ${isOver} then excluded.blocked_until else ${blockedUntil} end
    where own.failures < ${most} or own.blocked_until <= ${now}
    returning failures`;
}

async function refusal(tx: Db, limits: readonly Limit[], now: Date): Promise<AppError> {
  const { blocked_until, sha256 } = await tx
    .selectFrom("sign_in_failures")
    .select(["blocked_until", "sha256"])
    .where(
      "sha256",
      "in",
      limits.map((limit) => limit.sha256),
    )
    .orderBy("blocked_until", "desc")
    .executeTakeFirstOrThrow();
  const noun = limits.find((limit) => sha256.equals(limit.sha256))?.noun;
  const wait = Math.max(1, Math.ceil((blocked_until.getTime() - now.getTime()) / 1_000));
  const time = wait < 60 ? count(wait, "second") : count(Math.ceil(wait / 60), "minute");
  return new AppError("rate_limited", `There were too many ${noun}. Try again in ${time}.`, {
    retryAfterSeconds: wait,
  });
}

export async function forgive(db: Db, { account, address }: Attempt): Promise<void> {
  await sql`delete from sign_in_failures where sha256 = ${accountKey(account)}`.execute(db);
  if (address === undefined) return;
  await sql`
    update sign_in_failures set failures = greatest(0, failures - 1), blocked_until = since
    where sha256 = ${keyOf(SIGN_INS, networkOf(address))}`.execute(db);
}

export async function purge(db: Db, now: Date): Promise<void> {
  await sql`
    delete from sign_in_failures where blocked_until + ${seconds(FORGOTTEN_SECONDS)} <= ${now}`.execute(db);
}
