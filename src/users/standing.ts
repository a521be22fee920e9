import type { Db } from "../db/connect.ts";
import { lockPermissions } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid, notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import * as queries from "./queries.ts";
import type { Role } from "./columns.ts";

/**
 * Suspends a person; true if they weren't before. Their keys are refused from then on, and no write of theirs is
 * committed later. What they have written stays, and so does their profile.
 * @throws AppError invalid when they are the last admin, not_found
 */
export function suspend(db: Db, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockPermissions(tx, id);
    const existing = await lockDispensable(tx, id);
    if (existing.suspended) return false;
    await queries.updateUser(tx, id, { suspended: true });
    await events.record(tx, "user_suspended", { user_id: id });
    return true;
  });
}

/** Takes a suspension back, and tells whether there was one. @throws AppError not_found */
export function unsuspend(db: Db, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [existing] = await queries.lockUsers(tx, [id]);
    if (!existing) throw notFound();
    if (!existing.suspended) return false;
    await queries.updateUser(tx, id, { suspended: false });
    await events.record(tx, "user_unsuspended", { user_id: id });
    return true;
  });
}

/**
 * Says what somebody may do on the site, and tells whether that is something else than before.
 * @throws AppError invalid when they are the last admin and would be none, not_found
 */
export function changeRole(db: Db, { id, role }: { id: number; role: Role }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockPermissions(tx, id);
    const [existing] = role === "admin" ? await queries.lockUsers(tx, [id]) : [await lockDispensable(tx, id)];
    if (!existing) throw notFound();
    if (existing.role === role) return false;
    await queries.updateUser(tx, id, { role });
    await events.record(tx, "user_role_changed", { user_id: id, role });
    return true;
  });
}

/**
 * Locks a person whose account is about to be deleted: from now on they write nothing, and no row that is written can
 * refer to them.
 * @throws AppError invalid when they are the last admin, not_found
 */
export async function lockToDelete(tx: Db, id: number): Promise<queries.UserRow> {
  await lockPermissions(tx, id);
  const existing = await lockDispensable(tx, id);
  await queries.lockAgainstReferences(tx, id);
  return existing;
}

/**
 * Locks a person who isn't the last admin. All admins are locked too, so that the last two can't go at the same moment.
 * @throws AppError not_found, invalid
 */
async function lockDispensable(tx: Db, id: number): Promise<queries.UserRow> {
  const held = await queries.lockWithAdmins(tx, id);
  const existing = held.find((user) => user.id === id);
  if (!existing) throw notFound();
  if (isAdmin(existing) && held.filter(isAdmin).length === 1) {
    throw invalid("The site needs an admin who isn't suspended: make another person an admin first");
  }
  return existing;
}

function isAdmin({ role, suspended }: queries.UserRow): boolean {
  return role === "admin" && !suspended;
}
