import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { createErrors, type FieldErrors, tooLong } from "../../platform/fields/fields.ts";
import * as mails from "../../mail/queue.ts";
import { IS_SOURCE, locate } from "../../platform/program-files.ts";
import { countCharacters } from "../../platform/text/valid-text.ts";
import { hashPassword, inTurn } from "./password-hash.ts";
import * as sessions from "./sessions.ts";

interface Owner {
  username: string;
  name: string;
  email: string | null;
}

export async function findOwner(db: Db, id: number): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    select username, name, email from users where id = ${id}`.execute(db);
  return rows[0];
}

/**
 * The hash of a password that its owner may have.
 * @throws FieldsError for a short, long, common or own one; AppError unavailable when many wait
 */
export async function hashOfNew(
  { password, communityName, address = "" }: { password: string; communityName: string; address?: string },
  owner: Owner,
  errors?: FieldErrors,
): Promise<string> {
  await checkNewPassword(password, { ...owner, communityName }, errors);
  return inTurn(address, () => hashPassword(password));
}

/**
 * Stores another password of a user, who gets a mail about it, and ends all sessions but maybe one, and the sign-in link,
 * by which an older password would go on. Returns their number.
 */
export async function change(
  tx: Db,
  id: number,
  { hash, exceptSession, now }: { hash: string; exceptSession?: number; now: Date },
): Promise<number> {
  await store(tx, id, hash);
  await mails.enqueue(tx, { kind: "password_changed", userId: id, about: {} }, now);
  return sessions.endAll(tx, id, exceptSession);
}

export async function store(tx: Db, id: number, hash: string): Promise<void> {
  await sql`update users set password_hash = ${hash} where id = ${id}`.execute(tx);
}

export const PASSWORD_LENGTH = { least: 8, most: 256 };

/** A guesser tries these first. */
interface Known {
  username: string;
  name: string;
  email?: string | null | undefined;
  communityName: string;
}

/**
 * Refuses a password that is too short or long, common, or the person's own data.
 * @param errors faults of other fields, which are thrown with those of this one
 * @throws FieldsError; the sentence says which
 */
export async function checkNewPassword(
  password: string,
  known: Known,
  errors = createErrors(),
): Promise<void> {
  const fault = await faultOf(password.normalize("NFKC"), known);
  if (fault !== undefined) errors.of("password")(fault);
  errors.throwIfAny();
}

async function faultOf(text: string, known: Known): Promise<string | undefined> {
  const { least, most } = PASSWORD_LENGTH;
  const length = countCharacters(text);
  if (length < least) return `is too short (minimum is ${least} characters)`;
  if (length > most) return tooLong(most);
  const folded = text.toLowerCase();
  const own = ownTexts(known).find(([, value]) => folded === value);
  if (own !== undefined) return `must not be ${own[0]}: choose another one`;
  const isCommon = (await commonPasswords()).has(folded);
  return isCommon ? "is one of those that many people use: choose another one" : undefined;
}

function ownTexts({
  username,
  name,
  email,
  communityName,
}: Known): (readonly [string, string | undefined])[] {
  const texts = [
    ["your username", username],
    ["your name", name],
    ["your e-mail address", email ?? undefined],
    ["your e-mail address", email?.split("@")[0]],
    ["the name of the community", communityName],
  ] as const;
  return texts.map(([what, value]) => [what, value?.normalize("NFKC").toLowerCase()] as const);
}

let common: Promise<Set<string>> | undefined;

/** Made by the build, in lower case; read with the first password that is set. */
function commonPasswords(): Promise<Set<string>> {
  const file = locate(IS_SOURCE ? "../dist/common-passwords.br" : "common-passwords.br");
  return (common ??= readFile(file).then(
    (bytes) => new Set(brotliDecompressSync(bytes).toString().split("\n")),
  ));
}
