import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { rowsOf } from "../../platform/db/rows.ts";
import type { Organizations } from "../../platform/db/tables.ts";
import { anyInt, anyText, countRows, isAny, type Slice } from "../../platform/db/values.ts";
import { recordedPicture } from "../records/pictures.ts";
import { PROFILE_COLUMNS } from "../users/columns.ts";
import * as handles from "../users/handles.ts";

export type OrganizationRow = Selectable<Organizations>;

export const { insert, lock, update } = rowsOf("organizations");

export const findIds = prepare<{ usernames: readonly string[] }, { id: number; username: string }>(
  (value) => sql`select id, username from organizations where username = any(${value("usernames")}::text[])`,
);

export interface Membership {
  userId: number;
  organizationId: number;
}

/** A username that looks like an id wins. */
export function findProfile(db: Db, { username, id }: { username: string | null; id: number | null }) {
  return db
    .selectFrom("organizations")
    .select(["id", "username", "name", "summary", "microblog_username", "codehost_username"])
    .select(["url", "location", "tech_stack", "tag_line", "story", "profile_image", "created_at"])
    .where(sql<boolean>`(username = ${username}::text or id = ${id}::int)`)
    .orderBy(sql`(username = ${username}::text) desc nulls last`)
    .limit(1)
    .executeTakeFirst();
}

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

export function listProfiles(db: Db, { limit, offset }: Slice) {
  return db
    .selectFrom("organizations")
    .select(["id", "name", "username", "summary", "tag_line", "url", "profile_image"])
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

export type SummaryRow = Awaited<ReturnType<typeof listProfiles>>[number];

export function listPeople(db: Db, organizationId: number, { limit, offset }: Slice) {
  return db
    .selectFrom("organization_members")
    .innerJoin("users", "users.id", "organization_members.user_id")
    .select(PROFILE_COLUMNS)
    .where("organization_members.organization_id", "=", organizationId)
    .orderBy("organization_members.user_id")
    .limit(limit)
    .offset(offset)
    .execute();
}

export function exists(db: Db, id: number): Promise<boolean> {
  return isAny(db.selectFrom("organizations").select("id").where("id", "=", id));
}

export async function findRole(db: Db, { userId, organizationId }: Membership): Promise<string | undefined> {
  const { rows } = await sql<{ role: string }>`
    select role from organization_members
    where user_id = ${userId} and organization_id = ${organizationId}`.execute(db);
  return rows[0]?.role;
}

/** The memberships of a person, in the order in which all transactions lock organizations. */
export async function listMemberships(db: Db, userId: number) {
  const { rows } = await sql<{ organizationId: number; role: "member" | "admin" }>`
    select organization_id as "organizationId", role from organization_members
    where user_id = ${userId} order by organization_id`.execute(db);
  return rows;
}

export function countAdmins(db: Db, organization_id: number): Promise<number> {
  const members = db.selectFrom("organization_members");
  return countRows(members.where((eb) => eb.and({ organization_id, role: "admin" })));
}

export async function putMember(tx: Db, { userId, organizationId }: Membership, role: string): Promise<void> {
  await sql`
    insert into organization_members (organization_id, user_id, role) values (${organizationId}, ${userId}, ${role})
    on conflict (organization_id, user_id) do update set role = excluded.role`.execute(tx);
}

export async function deleteMember(tx: Db, { userId, organizationId }: Membership): Promise<void> {
  await sql`
    delete from organization_members
    where user_id = ${userId} and organization_id = ${organizationId}`.execute(tx);
}

export function findOrganizations(db: Db, usernames: readonly string[]): Promise<OrganizationRow[]> {
  return selectRecords(db).where("username", "=", anyText(usernames)).execute();
}

export function listAfter(db: Db, id: number, limit: number) {
  const members = sql<object[] | null>`(
    select json_agg(json_build_object('username', users.username, 'role', organization_members.role) order by users.username)
    from organization_members join users on users.id = user_id where organization_id = organizations.id)`;
  return selectRecords(db)
    .select(members.as("members"))
    .where("id", ">", id)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The organizations as records need them: with the remote address of a copied picture. */
function selectRecords(db: Db) {
  return db.selectFrom("organizations").selectAll().select(recordedPicture("organization"));
}

export function listMembers(db: Db, organizationIds: readonly number[]) {
  return db
    .selectFrom("organization_members")
    .innerJoin("users", "users.id", "organization_members.user_id")
    .select(["organization_id", "user_id", "users.username", "organization_members.role"])
    .where("organization_id", "=", anyInt(organizationIds))
    .orderBy("organization_id")
    .orderBy("users.username")
    .execute();
}

export async function replaceMembers(
  tx: Db,
  organizationId: number,
  members: readonly { user_id: number; role: string }[],
): Promise<void> {
  await tx.deleteFrom("organization_members").where("organization_id", "=", organizationId).execute();
  if (members.length === 0) return;
  const rows = members.map((member) => ({ organization_id: organizationId, ...member }));
  await tx.insertInto("organization_members").values(rows).execute();
}

export async function deleteOrganizations(tx: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom("organizations")
    .where("id", "=", anyInt(ids))
    .returning("username")
    .execute();
  const usernames = rows.map(({ username }) => username);
  await handles.release(tx, "organization", usernames);
  return usernames;
}

export function listOf(db: Db, userId: number) {
  return db
    .selectFrom("organization_members")
    .innerJoin("organizations", "organizations.id", "organization_members.organization_id")
    .select(["organizations.id", "organizations.username", "organizations.name"])
    .where("user_id", "=", userId)
    .orderBy("organizations.name")
    .limit(100)
    .execute();
}

/** Members with their roles, admins first. */
export function listRoles(db: Db, organizationId: number) {
  return db
    .selectFrom("organization_members as member")
    .innerJoin("users", "users.id", "member.user_id")
    .select(["users.id", "users.name", "users.username", "users.profile_image", "member.role"])
    .where("member.organization_id", "=", organizationId)
    .orderBy("member.role")
    .orderBy("users.id")
    .limit(1_000)
    .execute();
}

export async function insertInvitation(tx: Db, { userId, organizationId }: Membership, now: Date) {
  const { numAffectedRows = 0n } = await sql`
    insert into organization_invitations (organization_id, user_id, created_at)
    values (${organizationId}, ${userId}, ${now}) on conflict do nothing`.execute(tx);
  return numAffectedRows > 0n;
}

/** Returns whether there was one. */
export async function deleteInvitation(tx: Db, { userId, organizationId }: Membership): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from organization_invitations
    where organization_id = ${organizationId} and user_id = ${userId}`.execute(tx);
  return numAffectedRows > 0n;
}

export function invitationsOf(db: Db, userId: number) {
  return db
    .selectFrom("organization_invitations as invitation")
    .innerJoin("organizations", "organizations.id", "invitation.organization_id")
    .select(["organizations.id", "name", "username", "profile_image"])
    .where("invitation.user_id", "=", userId)
    .orderBy("invitation.created_at", "desc")
    .limit(100)
    .execute();
}
