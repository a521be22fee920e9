import type { Actor } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import { differs } from "../../platform/db/rows.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import * as queries from "./queries.ts";
import * as sessions from "./sessions.ts";
import type { Role } from "./columns.ts";

/**
 * Refuses the keys and current writes of a person; texts and profile stay. Returns whether that was a change.
 * @throws AppError invalid for the last admin, not_found
 */
export function suspend(actor: Actor<boolean>, id: number): Promise<boolean> {
  return change(actor, id, { suspended: true });
}

export function unsuspend(actor: Actor<boolean>, id: number): Promise<boolean> {
  return change(actor, id, { suspended: false });
}

/**
 * Returns whether that was a change.
 * @throws AppError invalid for the last admin, not_found
 */
export function changeRole(
  actor: Actor<boolean>,
  { id, role }: { id: number; role: Role },
): Promise<boolean> {
  return change(actor, id, { role });
}

function change(
  actor: Actor<boolean>,
  id: number,
  rights: { suspended: boolean } | { role: Role },
): Promise<boolean> {
  return actor.run(async (tx) => {
    await lockPermissions(tx, id);
    const staysAdmin = "role" in rights ? rights.role === "admin" : !rights.suspended;
    const existing = await (staysAdmin ? queries.lockUser(tx, id) : lockDispensable(tx, id));
    if (!existing) throw notFound();
    // Doctor asks about admins that an import brought, until the operator says that they are meant.
    if ("role" in rights && staysAdmin && existing.origin === "import")
      await queries.updateUser(tx, id, { origin: "operator" });
    if (!differs(existing, rights)) return false;
    await queries.updateUser(tx, id, rights);
    await sessions.endAll(tx, id);
    if ("role" in rights) await events.record(tx, "user_role_changed", { user_id: id, role: rights.role });
    else await events.record(tx, rights.suspended ? "user_suspended" : "user_unsuspended", { user_id: id });
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
 * @throws AppError invalid for the last admin, for one account twice and for a suspended one that would stay
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
  await queries.lockAgainstReferences(tx, from);
  return existing;
}

/** Locks all admins, so that the last two can't go at once. */
async function lockDispensable(tx: Db, id: number, other = id): Promise<queries.UserRow> {
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
