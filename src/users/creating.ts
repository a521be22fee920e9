import { operator } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as settings from "../settings/settings.ts";
import * as passwords from "./passwords.ts";
import * as users from "./users.ts";

interface NewUser extends users.NewUser {
  password: string;
}

/**
 * Creates an account that signs in with a password.
 * @throws AppError invalid, for the password too
 */
export async function createWithPassword(
  db: Db,
  { password, ...wanted }: NewUser,
): Promise<{ id: number; username: string }> {
  const { community_name: communityName } = await settings.read(db);
  const owner = { username: wanted.username, name: wanted.name, email: wanted.email ?? null };
  const hash = await passwords.hashOfNew({ password, communityName }, owner);
  return inTransaction(db, async (tx) => {
    const made = await users.create(operator(tx), wanted);
    await passwords.store(tx, made.id, hash);
    return made;
  });
}
