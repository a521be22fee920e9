import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { ApiKeys, Users } from "../../platform/db/tables.ts";
import { anyInt, anyText, countRows } from "../../platform/db/values.ts";
import { recordedPicture } from "../records/pictures.ts";
import { PROFILE_COLUMNS } from "./columns.ts";

export type UserRow = Selectable<Users>;
export type KeyRow = Selectable<ApiKeys>;

export const { find: findUser, insert: insertUser, update: updateUser, lock: lockUser } = rowsOf("users");
export const { insert: insertKey, update: updateKey } = rowsOf("api_keys");

/** Locks in the order of ids, which prevents deadlocks. */
export const lockUsers = prepare<
  { ids: readonly number[] },
  Pick<UserRow, "id" | "name" | "origin" | "created_at">
>(
  (value) => sql`
    select id, name, origin, created_at from users where id = any(${value("ids")}::int[]) order by id for no key update`,
);

export async function lockAgainstReferences(tx: Db, id: number): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
}

/** Locks in the order of ids, which prevents deadlocks. */
export async function lockWithAdmins(tx: Db, ids: readonly number[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select * from users where id = ${anyInt(ids)} or role = 'admin' and not suspended
    order by id for no key update`.execute(tx);
  return rows;
}

export async function findActive(db: Db, id: number): Promise<{ role: string } | undefined> {
  const { rows } = await sql<{ role: string }>`
    select role from users where id = ${id} and not suspended`.execute(db);
  return rows[0];
}

export const findNames = prepare<
  { usernames: readonly string[] },
  Pick<Selectable<Users>, "id" | "username" | "name">
>((value) => sql`select id, username, name from users where username = any(${value("usernames")}::text[])`);

export function findUsers(db: Db, usernames: readonly string[]): Promise<UserRow[]> {
  return selectRecords(db).where("username", "=", anyText(usernames)).execute();
}

export function findProfile(db: Db, id: number) {
  return selectProfiles(db).where("id", "=", id).executeTakeFirst();
}

export function findProfileByUsername(db: Db, username: string) {
  return selectProfiles(db).where("username", "=", username.toLowerCase()).executeTakeFirst();
}

function selectProfiles(db: Db) {
  return db.selectFrom("users").select(PROFILE_COLUMNS);
}

/** The users as records need them: with the remote address of a copied picture. */
export function listUsersAfter(db: Db, id: number, limit: number): Promise<UserRow[]> {
  return selectRecords(db).where("id", ">", id).orderBy("id").limit(limit).execute();
}

function selectRecords(db: Db) {
  return db.selectFrom("users").selectAll().select(recordedPicture("user"));
}

export async function deleteUsers(tx: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await tx.deleteFrom("users").where("id", "=", anyInt(ids)).returning("username").execute();
  return rows.map(({ username }) => username);
}

export async function listNames(db: Db, id: number): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    select username from users where id = ${id}
    union all select username from retired_names where user_id = ${id}`.execute(db);
  return rows.map(({ username }) => username);
}

/** Lets the name of a deleted account lead to another one. */
export async function retireName(tx: Db, username: string, userId: number): Promise<void> {
  await tx.insertInto("retired_names").values({ username, user_id: userId }).execute();
}

export async function deleteRetiredNames(tx: Db, userIds: readonly number[]): Promise<string[]> {
  const query = tx.deleteFrom("retired_names").where("user_id", "=", anyInt(userIds));
  return (await query.returning("username").execute()).map(({ username }) => username);
}

export function findKeys(db: Db, hashes: readonly Buffer[]): Promise<KeyRow[]> {
  if (hashes.length === 0) return Promise.resolve([]);
  return db.selectFrom("api_keys").selectAll().where("sha256", "in", hashes).execute();
}

export function listKeysOf(db: Db, userIds: readonly number[]): Promise<KeyRow[]> {
  return db.selectFrom("api_keys").selectAll().where("user_id", "=", anyInt(userIds)).orderBy("id").execute();
}

export function countKeys(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom("api_keys").where("user_id", "=", userId));
}
