import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { FieldErrors } from "../../platform/fields/fields.ts";
import * as mails from "../../mail/queue.ts";
import { hashPassword, inTurn } from "./password-hash.ts";
import * as sessions from "./sessions.ts";
import { checkNewPassword } from "./password-rules.ts";

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
