import type { Db } from "../db/connect.ts";
import { canBeUsername } from "../users/names.ts";
import * as queries from "./queries.ts";

/** Somebody, and an organization they may belong to. */
export interface Membership {
  userId: number;
  organizationId: number;
}

/** Ids by lower-case username. Case makes no difference to what is found; unknown names are missing. */
export async function idsByUsername(db: Db, usernames: readonly string[]): Promise<Map<string, number>> {
  const wanted = usernames.map((username) => username.toLowerCase()).filter(canBeUsername);
  if (wanted.length === 0) return new Map();
  const rows = await queries.findIds(db, wanted);
  return new Map(rows.map(({ username, id }) => [username, id]));
}

export async function isMember(db: Db, membership: Membership): Promise<boolean> {
  return (await queries.findRole(db, membership)) !== undefined;
}

export async function isAdmin(db: Db, membership: Membership): Promise<boolean> {
  return (await queries.findRole(db, membership)) === "admin";
}

/** Removes organizations and frees their names; their articles stay with their authors. */
export async function removeAll(tx: Db, ids: readonly number[]): Promise<number> {
  return (await queries.deleteOrganizations(tx, ids)).length;
}
