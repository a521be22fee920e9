import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalid, notFound } from "../errors.ts";
import * as events from "../events/events.ts";
import * as queries from "./queries.ts";
import type { Role } from "./roles.ts";

/**
 * Suspends somebody, and tells whether they weren't before. Their keys are refused from the next
 * request on; what they have written stays, and so does their profile.
 * @throws AppError invalid when they are the last admin, not_found
 */
export function suspend(db: Db, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await keepAnAdmin(tx, id);
    const [existing] = await queries.lockUsers(tx, [id]);
    if (!existing) throw notFound();
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
    if (role !== "admin") await keepAnAdmin(tx, id);
    const [existing] = await queries.lockUsers(tx, [id]);
    if (!existing) throw notFound();
    if (existing.role === role) return false;
    await queries.updateUser(tx, id, { role });
    await events.record(tx, "user_role_changed", { user_id: id, role });
    return true;
  });
}

/** All admins are held meanwhile, so that the last two can't go at the same moment. */
async function keepAnAdmin(tx: Db, id: number): Promise<void> {
  const admins = await queries.lockAdmins(tx);
  if (admins.includes(id) && admins.length === 1) {
    throw invalid("The site needs an admin who isn't suspended: make somebody else an admin first");
  }
}
