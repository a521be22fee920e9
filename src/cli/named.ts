import type { Db } from "../db/connect.ts";
import { invalid } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { quote } from "../text/quote.ts";
import * as users from "../users/users.ts";

/** @throws AppError invalid when there is no user with this name */
export async function userNamed(db: Db, username: string): Promise<number> {
  const id = (await users.idsByUsername(db, [username])).get(username.toLowerCase());
  if (id === undefined) throw invalid(`There is no user ${quote(username)}.`);
  return id;
}

/** @throws AppError invalid when there is no organization with this name */
export async function organizationNamed(db: Db, username: string): Promise<number> {
  const id = (await organizations.idsByUsername(db, [username])).get(username.toLowerCase());
  if (id === undefined) throw invalid(`There is no organization ${quote(username)}.`);
  return id;
}
