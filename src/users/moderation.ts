import type { Actor } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { lockPermissions } from "../db/locks.ts";
import { differs } from "../db/rows.ts";
import { invalid, notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import * as queries from "./queries.ts";
import type { Role } from "./columns.ts";

/**
 * Refuses the keys and current writes of a person; texts and profile stay. Returns whether that was a change.
 * @throws AppError invalid for the last admin, not_found
 */
export function suspend(actor: Actor<boolean>, id: number): Promise<boolean> {
  return change(actor, id, { suspended: true });
}

/** Takes a suspension back. Returns whether there was one. */
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

/** Locks all admins, so that the last two can't go at once. */
async function lockDispensable(tx: Db, id: number): Promise<queries.UserRow> {
  const held = await queries.lockWithAdmins(tx, id);
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
