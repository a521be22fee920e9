import { sql } from "kysely";
import { type Actor, operator } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import { differs } from "../../platform/db/rows.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { checked } from "../../platform/fields/fields.ts";
import { count } from "../../platform/text/sentences.ts";
import * as log from "../log/log.ts";
import { textField } from "../users/fields.ts";
import * as moderation from "../users/moderation.ts";
import * as sessions from "../users/sessions.ts";
import { setAllHidden, SPAM } from "./hiding.ts";

interface Target {
  id: number;
  reason?: string | undefined;
}

interface Suspension extends Target {
  /** Undefined: for good. */
  days?: number | undefined;
  /** Hides all that the account has written. */
  isSpam?: boolean;
}

/**
 * Refuses the keys, sessions and current writes of a person; texts and profile stay, but for spam. Returns whether that
 * was a change.
 * @throws AppError unauthorized, not_found, invalid, also for the last admin
 */
export function suspend(actor: Actor<boolean>, suspension: Suspension): Promise<boolean> {
  const { id, days, reason, isSpam = false } = suspension;
  return actor.run(async (tx) => {
    await lockPermissions(tx, id);
    await moderation.requireOver(tx, actor, id);
    const existing = await moderation.lockDispensable(tx, id);
    if (existing.suspended && existing.spam && !isSpam)
      throw invalid("The account is marked as spam, for good: lift that first");
    const end = days === undefined ? null : new Date(actor.now().getTime() + days * 86_400_000);
    const { suspended_until: until } = existing;
    // Of two moderators at once, one learns that it is done.
    const suspended_until = end && until && Math.abs(Number(end) - Number(until)) < 60_000 ? until : end;
    const suspension_reason = reason?.trim() || null;
    const change = { suspended: true, spam: isSpam, suspended_until, suspension_reason };
    if (!differs(existing, change)) return false;
    await moderation.updateUser(tx, id, change);
    if (!existing.suspended) {
      await sessions.endAll(tx, id);
      await events.record(tx, "user_suspended", { user_id: id });
    }
    const act = isSpam ? "mark_spam" : "suspend_user";
    const detail = days === undefined ? "for good" : `for ${count(days, "day")}`;
    await log.record(tx, actor, { act, on: { kind: "user", id }, detail, reason });
    if (isSpam) await setAllHidden(tx, { userId: id, isHidden: true, reason: SPAM, now: actor.now() });
    return true;
  });
}

/** Lifts a suspension. What marking the account as spam has hidden comes back. */
export function lift(
  actor: Actor<boolean>,
  { id, reason, only = () => true }: Target & { only?: (account: moderation.Account) => boolean },
): Promise<boolean> {
  return actor.run(async (tx) => {
    await lockPermissions(tx, id);
    const existing = await lockAccount(tx, actor, id);
    if (!existing.suspended || !only(existing)) return false;
    const change = { suspended: false, spam: false, suspended_until: null, suspension_reason: null };
    await moderation.updateUser(tx, id, change);
    await events.record(tx, "user_unsuspended", { user_id: id });
    const act = existing.spam ? "unmark_spam" : "lift_suspension";
    const detail = actor.by === "job" ? "by itself" : undefined;
    await log.record(tx, actor, { act, on: { kind: "user", id }, detail, reason });
    await setAllHidden(tx, { userId: id, isHidden: false, reason: SPAM, now: actor.now() });
    return true;
  });
}

/** Hides all that a person has written. Returns the number of texts; a second run has nothing left to do. */
export function unpublishAll(actor: Actor<number>, { id, reason = "" }: Target): Promise<number> {
  return actor.run(async (tx) => {
    await lockAccount(tx, actor, id);
    const hidden = await setAllHidden(tx, { userId: id, isHidden: true, reason, now: actor.now() });
    if (hidden > 0) await log.record(tx, actor, { act: "unpublish_user", on: { kind: "user", id }, reason });
    return hidden;
  });
}

const NOTE = { staff_note: textField(2_000) };

/** Keeps a note about a person that only staff see. */
export function setNote(actor: Actor<boolean>, { id, note }: { id: number; note: string }): Promise<boolean> {
  return actor.run(async (tx) => {
    const account = await lockAccount(tx, actor, id);
    const { staff_note = null } = checked(NOTE, { staff_note: note });
    if (account.staff_note === staff_note) return false;
    await moderation.updateUser(tx, id, { staff_note });
    await log.record(tx, actor, { act: "note_user", on: { kind: "user", id } });
    return true;
  });
}

/** @throws AppError unauthorized, not_found, invalid */
async function lockAccount(tx: Db, actor: Actor, id: number): Promise<moderation.Account> {
  await moderation.requireOver(tx, actor, id);
  const existing = await moderation.lockUser(tx, id);
  if (!existing) throw notFound();
  return existing;
}

/** Lifts the suspensions that have come to their end. */
export async function liftEnded(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from users where suspended and suspended_until <= ${now} order by id`.execute(db);
  const isEnded = ({ suspended_until: until }: moderation.Account) => until !== null && until <= now;
  for (const { id } of rows) await lift({ ...operator(db, () => now), by: "job" }, { id, only: isEnded });
}
