import { type Actor, userOf } from "../../http/actor.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import { differs } from "../../platform/db/rows.ts";
import type { Reference } from "../records/declaration.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid, notFound, unauthorized } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { checked, idIn } from "../../platform/fields/fields.ts";
import * as actions from "../../platform/limits/actions.ts";
import { enqueue } from "../../platform/jobs/queue.ts";
import * as log from "../log/log.ts";
import * as users from "../users/users.ts";
import * as handles from "../users/handles.ts";
import { canBeUsername } from "../users/names.ts";
import { type Edit, type Edited, replacedPicture } from "../users/fields.ts";
import { FIELDS, type Profile } from "./fields.ts";
import * as queries from "./queries.ts";

export async function idsByUsername(db: Db, usernames: readonly string[]): Promise<Map<string, number>> {
  const wanted = usernames.map((username) => username.toLowerCase()).filter(canBeUsername);
  if (wanted.length === 0) return new Map();
  const rows = await queries.findIds(db, { usernames: wanted });
  return new Map(rows.map(({ username, id }) => [username, id]));
}

export const byUsername: Reference = { find: idsByUsername, spell: (username) => username.toLowerCase() };

/** Finds an organization by its username in any case, or else by its id. */
export async function profileOf(db: Db, name: string): Promise<queries.ProfileRow> {
  const username = canBeUsername(name.toLowerCase()) ? name.toLowerCase() : null;
  const row = await queries.findProfile(db, { username, id: idIn(name) ?? null });
  if (!row) throw notFound();
  return row;
}

export async function findPublicProfile(db: Db, username: string): Promise<queries.ProfileRow | undefined> {
  return canBeUsername(username) ? queries.findProfile(db, { username, id: null }) : undefined;
}

export async function find(db: Db, name: string): Promise<number> {
  return (await profileOf(db, name)).id;
}

export {
  exists,
  findRole,
  listRoles,
  listOf,
  listPeople,
  type Membership,
  type ProfileRow,
} from "./queries.ts";

export async function isMember(db: Db, membership: queries.Membership): Promise<boolean> {
  return (await queries.findRole(db, membership)) !== undefined;
}

export async function isAdmin(db: Db, membership: queries.Membership): Promise<boolean> {
  return (await queries.findRole(db, membership)) === "admin";
}

export type Created = Pick<queries.OrganizationRow, "id" | "username">;

const A_DAY = { action: "organization create", limit: 5, windowSeconds: 86_400 };

/** A user who makes one is its first admin. */
export async function create(actor: Actor<Created>, profile: Profile): Promise<Created> {
  const { username = "", name = "", ...others } = checked(FIELDS, profile);
  return actor.run(async (tx) => {
    if (actor.user && actor.isLimited) {
      await users.lock(tx, [actor.user.id]);
      await actions.spend(tx, { userId: actor.user.id, ...A_DAY, now: actor.now() });
    }
    await handles.take(tx, "organization", [username]);
    const id = await queries.insert(tx, { username, name, ...others });
    await events.record(tx, "organization_created", { organization_id: id });
    if (actor.user) await putMember(tx, { userId: actor.user.id, organizationId: id }, "admin");
    if (actor.user?.role !== "member")
      await log.record(tx, actor, { act: "create_organization", on: { kind: "organization", id } });
    return { id, username };
  });
}

/** Changes the attributes that are given, and the picture, which the site keeps; null is none. */
export async function edit(
  actor: Actor<Edited>,
  { id, change, picture }: Edit<Partial<Omit<Profile, "username">>>,
): Promise<Edited> {
  return actor.run(async (tx) => {
    const { existing, isStaff } = await lock(tx, id, actor);
    const { username: _, ...fields } = FIELDS;
    const columns = { ...checked(fields, change), ...(picture !== undefined && { profile_image: picture }) };
    if (!differs(existing, columns)) return { changed: false, replaced: null };
    await queries.update(tx, id, columns);
    await events.record(tx, "organization_updated", { organization_id: id });
    const detail = Object.keys(columns).join(", ");
    const on = { kind: "organization", id } as const;
    if (isStaff) await log.record(tx, actor, { act: "edit_organization", on, detail });
    // Articles are found by their organization's name, which is written in their search rows.
    const isRenamed = columns.name !== undefined && columns.name !== existing.name;
    if (isRenamed) await enqueue(tx, "refresh-articles", { organization_id: id });
    return { changed: true, replaced: replacedPicture(existing, picture) };
  });
}

export type MemberRole = "member" | "admin";

interface NewRole extends queries.Membership {
  role?: MemberRole;
  /** Whether only the role of a member changes. */
  mustBeMember?: boolean;
}

/** Adds a member, or changes the role of one. Returns whether that was a change. */
export async function addMember(
  actor: Actor<boolean>,
  { role = "member", mustBeMember = false, ...membership }: NewRole,
): Promise<boolean> {
  return actor.run(async (tx) => {
    const { isStaff } = await lock(tx, membership.organizationId, actor);
    const before = await queries.findRole(tx, membership);
    if (before === undefined && mustBeMember) throw notFound();
    if (before === role) return false;
    if (before === "admin") await keepAnAdmin(tx, membership.organizationId);
    await putMember(tx, membership, role, before);
    const on = { kind: "organization", id: membership.organizationId } as const;
    const entry = { act: "add_member", on, userId: membership.userId, detail: role } as const;
    if (isStaff) await log.record(tx, actor, entry);
    return true;
  });
}

/** Members may leave by themselves; their publications stay. Returns whether there was a membership. */
export async function removeMember(actor: Actor<boolean>, membership: queries.Membership): Promise<boolean> {
  const { organizationId, userId } = membership;
  return actor.run(async (tx) => {
    const isLeaving = actor.user?.id === userId;
    const { isStaff } = await lock(tx, organizationId, isLeaving ? undefined : actor);
    const before = await queries.findRole(tx, membership);
    if (before === undefined) return false;
    if (before === "admin") await keepAnAdmin(tx, organizationId);
    await queries.deleteMember(tx, membership);
    await events.record(tx, "organization_member_removed", {
      organization_id: organizationId,
      user_id: userId,
    });
    const on = { kind: "organization", id: organizationId } as const;
    if (isStaff) await log.record(tx, actor, { act: "remove_member", on, userId });
    return true;
  });
}

/** Locks an organization, for those who may change it. */
export async function lock(tx: Db, id: number, actor: Actor | undefined) {
  const existing = await queries.lock(tx, id);
  if (!existing) throw notFound();
  return { existing, isStaff: actor !== undefined && (await actsAsStaff(tx, id, actor)) };
}

/** Allows admins of the organization, admins of the site, and the operator; the last two act as staff. */
async function actsAsStaff(db: Db, organizationId: number, actor: Actor): Promise<boolean> {
  if (actor.by === "operator") return true;
  const { id: userId, role } = userOf(actor);
  if (await isAdmin(db, { userId, organizationId })) return false;
  if (role !== "admin") throw unauthorized();
  return true;
}

async function keepAnAdmin(tx: Db, organizationId: number): Promise<void> {
  if ((await queries.countAdmins(tx, organizationId)) > 1) return;
  throw invalid("An organization needs an admin: make another member an admin first");
}

export async function putMember(
  tx: Db,
  membership: queries.Membership,
  role: MemberRole,
  before?: string,
): Promise<void> {
  await queries.putMember(tx, membership, role);
  await events.record(
    tx,
    before === undefined ? "organization_member_added" : "organization_member_changed",
    { organization_id: membership.organizationId, user_id: membership.userId },
  );
}

/** Gives one person's memberships to another, with the higher role where both are members. Returns their number. */
export async function reassignMemberships(tx: Db, { from, to }: Reassignment): Promise<number> {
  const given = await queries.listMemberships(tx, from);
  for (const { organizationId, role } of given) {
    const membership = { userId: to, organizationId };
    await queries.lock(tx, organizationId);
    const before = await queries.findRole(tx, membership);
    if (before === undefined || (before === "member" && role === "admin"))
      await putMember(tx, membership, role, before);
    await queries.deleteMember(tx, { userId: from, organizationId });
  }
  return given.length;
}

/** Frees their names; articles stay with their authors. */
export async function removeAll(tx: Db, ids: readonly number[]): Promise<number> {
  return (await queries.deleteOrganizations(tx, ids)).length;
}
