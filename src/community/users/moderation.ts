import { type Actor, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import { invalid, notFound, unauthorized } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import * as log from "../log/log.ts";
import * as queries from "./queries.ts";
import * as sessions from "./sessions.ts";
import type { Role } from "./columns.ts";

export { lockUser, updateUser, type UserRow as Account } from "./queries.ts";

/**
 * Moderators act on members and what they wrote, admins on everyone but themselves.
 * @param userId the author of a text; null for one whose account is gone
 * @throws AppError unauthorized for members, invalid
 */
export async function requireOver(tx: Db, actor: Actor, userId: number | null): Promise<void> {
  if (actor.by === "operator" || actor.by === "job") return;
  const { id, role } = userOf(actor);
  if (role === "member") throw unauthorized();
  if (id === userId) throw invalid("Staff can't act on themselves: ask another one");
  if (role === "admin" || userId === null) return;
  const person = await queries.findUser(tx, userId);
  if (person && person.role !== "member")
    throw invalid("Moderators can't act on moderators and admins: ask an admin");
}

/**
 * Returns whether that was a change.
 * @throws AppError unauthorized, invalid for the last admin, not_found
 */
export function changeRole(
  actor: Actor<boolean>,
  { id, role }: { id: number; role: Role },
): Promise<boolean> {
  return actor.run(async (tx) => {
    await lockPermissions(tx, id);
    const staysAdmin = role === "admin";
    const existing = await (staysAdmin ? queries.lockUser(tx, id) : lockDispensable(tx, id));
    if (!existing) throw notFound();
    if (actor.user?.role === "moderator") throw unauthorized();
    await requireOver(tx, actor, id);
    // Doctor asks about admins that an import brought, until the operator says that they are meant.
    if (staysAdmin && existing.origin === "import") await queries.updateUser(tx, id, { origin: "operator" });
    if (existing.role === role) return false;
    await queries.updateUser(tx, id, { role });
    await sessions.endAll(tx, id);
    await events.record(tx, "user_role_changed", { user_id: id, role });
    const detail = `${existing.role} to ${role}`;
    await log.record(tx, actor, { act: "change_role", on: { kind: "user", id }, detail });
    return true;
  });
}

/**
 * Prevents writes by the person, and new rows that refer to them.
 * @throws AppError invalid for the last admin, not_found
 */
export async function lockToDelete(tx: Db, id: number): Promise<queries.UserRow> {
  await lockPermissions(tx, id);
  const existing = await lockDispensable(tx, id);
  await queries.lockAgainstReferences(tx, id);
  return existing;
}

/**
 * Locks two accounts of which the first will be merged into the second. Returns the first.
 * @throws AppError invalid for the last admin, for one account twice, for one marked as spam and for a suspended one that would stay
 */
export async function lockToMerge(tx: Db, { from, to }: Reassignment): Promise<queries.UserRow> {
  if (from === to) throw invalid("An account can't be merged into itself: name two accounts");
  for (const id of [from, to].toSorted((one, other) => one - other)) await lockPermissions(tx, id);
  const existing = await lockDispensable(tx, from, to);
  const kept = await queries.lockUser(tx, to);
  if (!kept) throw notFound();
  if (kept.suspended)
    throw invalid(
      `${kept.username} is suspended: lift that first, with \`inkstone user unsuspend ${kept.username}\``,
    );
  if (existing.spam) throw invalid(`${existing.username} is marked as spam: lift that first`);
  await queries.lockAgainstReferences(tx, from);
  return existing;
}

/** Locks all admins, so that the last two can't go at once. */
export async function lockDispensable(tx: Db, id: number, other = id): Promise<queries.UserRow> {
  const held = await queries.lockWithAdmins(tx, [id, other]);
  const existing = held.find((user) => user.id === id);
  if (!existing) throw notFound();
  if (isAdmin(existing) && held.filter(isAdmin).length === 1) {
    throw invalid("The site needs an admin who isn't suspended: make another user an admin first");
  }
  return existing;
}

function isAdmin({ role, suspended }: queries.UserRow): boolean {
  return role === "admin" && !suspended;
}
