import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { hashPassword, inTurn } from "./password-hash.ts";
import { checkNewPassword } from "./password-rules.ts";

/** Whose password it will be. */
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
): Promise<string> {
  await checkNewPassword(password, { ...owner, communityName });
  return inTurn(address, () => hashPassword(password));
}

export async function store(tx: Db, id: number, hash: string): Promise<void> {
  await sql`update users set password_hash = ${hash} where id = ${id}`.execute(tx);
}
