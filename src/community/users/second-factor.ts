import { createHash } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { anyInt } from "../../platform/db/values.ts";
import { FieldsError, invalid } from "../../platform/errors.ts";
import type { About } from "../../mail/kinds.ts";
import { enqueue } from "../../mail/queue.ts";
import * as sessions from "./sessions.ts";
import * as failures from "./sign-in-failures.ts";

const RULES = { algorithm: "SHA1", digits: 6, period: 30 };
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Makes a code of 24 letters and digits. */
const RECOVERY_BYTES = 15;

const SECRET = /^[A-Z2-7]{32}$/;
const RECOVERY_CODE = /^[A-Z2-7]{24}$/;

/** So few that their owner should make new ones. */
export const FEW_CODES = 2;

export const secretFor = (kept = ""): string =>
  SECRET.test(kept) ? kept : new Secret({ size: SECRET_BYTES }).base32;

/** Apps read this from a QR code. Some take a colon for the end of the issuer. */
export const addressOf = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ ...RULES, secret, issuer: issuer.replaceAll(":", " "), label }).toString();

interface SecondFactor {
  created_at: Date;
  codes_left: number;
}

export async function find(db: Db, userId: number): Promise<SecondFactor | undefined> {
  const { rows } = await sql<SecondFactor>`
    select created_at, cardinality(recovery_codes) as codes_left
    from second_factors where user_id = ${userId}`.execute(db);
  return rows[0];
}

type Change = About["second_factor_changed"]["change"];

type Changing = RawBuilder<{ user_id: number }>;

/** Runs a statement that returns the user whose row it changes, who gets an email. Returns whether there was a row. */
async function change(tx: Db, how: Change, statement: Changing, now: Date): Promise<boolean> {
  const [changed] = (await statement.execute(tx)).rows;
  if (changed === undefined) return false;
  const about = { change: how };
  await enqueue(tx, { kind: "second_factor_changed", userId: changed.user_id, about }, now);
  return true;
}

/**
 * Turns the second factor of a user on, and returns the recovery codes, which are nowhere else; undefined when it is on
 * already.
 * @throws FieldsError for a wrong code
 */
export async function turnOn(
  tx: Db,
  { userId, secret, code }: { userId: number; secret: string; code: string },
  now: Date,
): Promise<string[] | undefined> {
  const step = SECRET.test(secret) ? stepOf(secret, plain(code), now) : undefined;
  if (step === undefined) throw wrongCode();
  // A sign-in that has begun without it either ends with the other sessions, or sees it.
  await sql`select from users where id = ${userId} for no key update`.execute(tx);
  const codes = newCodes();
  const insert: Changing = sql`
    insert into second_factors (user_id, secret, created_at, last_step, recovery_codes)
    values (${userId}, ${secret}, ${now}, ${step}, ${codes.map(digest)}) on conflict do nothing returning user_id`;
  return (await change(tx, "on", insert, now)) ? codes : undefined;
}

export function turnOff(tx: Db, userId: number, now: Date): Promise<boolean> {
  return change(tx, "off", sql`delete from second_factors where user_id = ${userId} returning user_id`, now);
}

/** Ends a user's recovery codes, and returns others; undefined when the second factor is off. */
export async function renewCodes(tx: Db, userId: number, now: Date): Promise<string[] | undefined> {
  const codes = newCodes();
  const update: Changing = sql`
    update second_factors set recovery_codes = ${codes.map(digest)} where user_id = ${userId} returning user_id`;
  return (await change(tx, "codes", update, now)) ? codes : undefined;
}

const newCodes = () =>
  Array.from({ length: RECOVERY_CODES }, () =>
    (new Secret({ size: RECOVERY_BYTES }).base32.match(/.{4}/g) ?? []).join("-"),
  );

/** Spaces, hyphens and case don't count. */
const plain = (code: string) => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

const digest = (code: string) => createHash("sha256").update(plain(code)).digest();

/** The 30 seconds of a code, or of the ones before or after: clocks differ. */
function stepOf(secret: string, token: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const key = Secret.fromBase32(secret);
  const delta = TOTP.validate({ ...RULES, token, secret: key, timestamp, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period: RULES.period, timestamp }) + delta;
}

const fault = (words: string) => new FieldsError({ code: [words] }, `Code ${words}`);
const wrongCode = () => fault("is wrong: give the one that the app shows now, and check that device’s clock");

export interface Accepted {
  /** After one of the recovery codes. */
  codesLeft?: number;
}

/**
 * Finishes a sign-in by a code of the app or by a recovery code. Failures count for the account apart from those of its
 * password: who doesn't know that can't keep its owner from giving a code, and who does can't clear the count by it.
 * @throws FieldsError for a wrong code; AppError invalid for the last one that may be tried, rate_limited
 */
export async function finishSignIn(
  db: Db,
  { id, userId }: sessions.Unfinished,
  { code, address, isLimited }: { code: string; address: string; isLimited: boolean },
  now: Date,
): Promise<Accepted> {
  const attempt = { account: `codes of ${userId}`, address: isLimited ? address : undefined };
  await failures.note(db, attempt, now);
  const left = await sessions.spendCode(db, id);
  if (left === undefined) throw invalid(ENDED);
  const accepted = await accept(db, { userId, code }, now).catch((error: unknown) => {
    throw left === 0 && error instanceof FieldsError ? invalid(ENDED) : error;
  });
  await failures.forgive(db, attempt);
  return accepted;
}

const ENDED = `${sessions.CODES} wrong codes have ended this sign-in: begin again`;

/** Each code is accepted once: one statement decides for all processes. */
async function accept(
  db: Db,
  { userId, code }: { userId: number; code: string },
  now: Date,
): Promise<Accepted> {
  if (RECOVERY_CODE.test(plain(code))) return acceptRecoveryCode(db, userId, digest(code));
  const query = sql<{ secret: string }>`select secret from second_factors where user_id = ${userId}`;
  const [factor] = (await query.execute(db)).rows;
  const step = factor && stepOf(factor.secret, plain(code), now);
  if (step === undefined) throw wrongCode();
  const { numAffectedRows = 0n } = await sql`
    update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step}`.execute(
    db,
  );
  if (numAffectedRows === 0n) throw fault("has been used already: wait for the next one");
  return {};
}

async function acceptRecoveryCode(db: Db, userId: number, sha256: Buffer): Promise<Accepted> {
  const { rows } = await sql<{ codesLeft: number }>`
    update second_factors set recovery_codes = array_remove(recovery_codes, ${sha256}::bytea)
    where user_id = ${userId} and ${sha256}::bytea = any(recovery_codes)
    returning cardinality(recovery_codes) as "codesLeft"`.execute(db);
  if (rows[0] === undefined) throw fault("is wrong, or a recovery code that has been used");
  return rows[0];
}

export async function secretsOf(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  const query = db.selectFrom("second_factors").select(["user_id", "secret"]);
  const rows = await query.where("user_id", "=", anyInt(userIds)).execute();
  return new Map(rows.map(({ user_id, secret }) => [user_id, secret]));
}

/** Stores the secret of a record; recovery codes belong to the site that made them. Returns whether it was another. */
export async function storeSecret(tx: Db, userId: number, secret: string, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into second_factors as own (user_id, secret, created_at, last_step, recovery_codes)
    values (${userId}, ${secret}, ${now}, 0, '{}')
    on conflict (user_id) do update set
      secret = excluded.secret, created_at = excluded.created_at, last_step = 0, recovery_codes = '{}'
    where own.secret <> excluded.secret`.execute(tx);
  return numAffectedRows > 0n;
}
