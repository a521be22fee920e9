import { type Actor, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import { differs } from "../../platform/db/rows.ts";
import { invalid, notFound, unauthorized } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import * as log from "../log/log.ts";
import * as queries from "./queries.ts";
import * as sessions from "./sessions.ts";
import { count } from "../../platform/text/sentences.ts";
import type { Role } from "./columns.ts";

export type Account = queries.UserRow;

const isProgram = ({ by }: Actor) => by === "operator" || by === "job";

/** @throws AppError unauthorized for members, invalid for oneself */
export function requireStaff(actor: Actor, id?: number | null): void {
  if (isProgram(actor)) return;
  const { id: own, role } = userOf(actor);
  if (role === "member") throw unauthorized();
  if (own === id) throw invalid("Staff can't act on themselves: ask another one");
}

/**
 * Moderators act on members and what they wrote, admins on everyone but themselves.
 * @throws AppError unauthorized for members, invalid
 */
export function requireOver(actor: Actor, { id, role }: { id: number | null; role: string | null }): void {
  requireStaff(actor, id);
  if (actor.user?.role === "moderator" && role !== null && role !== "member")
    throw invalid("Moderators can't act on moderators and admins: ask an admin");
}

/** The same for the author of a text; null for one whose account is gone. */
export async function requireOverAuthor(tx: Db, actor: Actor, authorId: number | null): Promise<void> {
  const author = authorId === null ? undefined : await queries.findUser(tx, authorId);
  requireOver(actor, { id: authorId, role: author?.role ?? null });
}

interface Suspension {
  id: number;
  /** Undefined: for good. */
  days?: number | undefined;
  reason?: string | undefined;
  isSpam?: boolean;
}

/** @throws AppError unauthorized, not_found, invalid */
export async function lockAccount(tx: Db, actor: Actor, id: number): Promise<Account> {
  requireStaff(actor);
  const existing = await queries.lockUser(tx, id);
  if (!existing) throw notFound();
  requireOver(actor, existing);
  return existing;
}

/**
 * Refuses the keys, sessions and current writes of a person; texts and profile stay. Returns whether that was a change.
 * @throws AppError invalid for the last admin, not_found
 */
export function suspend(actor: Actor<boolean>, of: number | Suspension): Promise<boolean> {
  return actor.run((tx) => suspendIn(tx, actor, typeof of === "number" ? { id: of } : of));
}

export async function suspendIn(tx: Db, actor: Actor, { id, days, reason, isSpam = false }: Suspension) {
  requireStaff(actor, id);
  await lockPermissions(tx, id);
  const existing = await lockDispensable(tx, id);
  requireOver(actor, existing);
  if (existing.suspended && existing.spam && !isSpam)
    throw invalid("The account is marked as spam, for good: lift that first");
  const until = days === undefined ? null : new Date(actor.now().getTime() + days * 86_400_000);
  const change = {
    suspended: true,
    spam: isSpam,
    suspended_until: until,
    suspension_reason: reason?.trim() || null,
  };
  if (!differs(existing, change)) return false;
  await queries.updateUser(tx, id, change);
  if (!existing.suspended) {
    await sessions.endAll(tx, id);
    await events.record(tx, "user_suspended", { user_id: id });
  }
  const detail = days === undefined ? "for good" : `for ${count(days, "day")}`;
  await recordOn(tx, actor, existing, { act: isSpam ? "mark_spam" : "suspend_user", detail, reason });
  return true;
}

interface Lift extends Pick<Suspension, "id" | "reason"> {
  only?: ((account: Account) => boolean) | undefined;
}

export async function unsuspendIn(tx: Db, actor: Actor, { id, reason, only = () => true }: Lift) {
  await lockPermissions(tx, id);
  const existing = await lockAccount(tx, actor, id);
  if (!existing.suspended || !only(existing)) return false;
  await queries.updateUser(tx, id, {
    suspended: false,
    spam: false,
    suspended_until: null,
    suspension_reason: null,
  });
  await events.record(tx, "user_unsuspended", { user_id: id });
  const detail = actor.by === "job" ? "by itself" : undefined;
  await recordOn(tx, actor, existing, {
    act: existing.spam ? "unmark_spam" : "lift_suspension",
    detail,
    reason,
  });
  return true;
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
    requireOver(actor, existing);
    // Doctor asks about admins that an import brought, until the operator says that they are meant.
    if (staysAdmin && existing.origin === "import") await queries.updateUser(tx, id, { origin: "operator" });
    if (existing.role === role) return false;
    await queries.updateUser(tx, id, { role });
    await sessions.endAll(tx, id);
    await events.record(tx, "user_role_changed", { user_id: id, role });
    await recordOn(tx, actor, existing, { act: "change_role", detail: `${existing.role} to ${role}` });
    return true;
  });
}

/** Writes an act on an account into the log. */
export const recordOn = (
  tx: Db,
  actor: Actor,
  { id, username }: Pick<queries.UserRow, "id" | "username">,
  entry: Pick<log.Entry, "act" | "detail" | "reason">,
) => log.record(tx, actor, { ...entry, on: { kind: "user", id, name: `@${username}` }, userId: id });

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
 * Locks two accounts of which the first will be merged into the second.
 * @throws AppError invalid for the last admin, for one account twice and for a suspended one that would stay
 */
export async function lockToMerge(tx: Db, { from, to }: Reassignment) {
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
  return { gone: existing, kept };
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
