import { sql } from "kysely";
import { type Actor, operator } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { checked } from "../../platform/fields/fields.ts";
import * as articles from "../articles/hiding.ts";
import * as comments from "../comments/hiding.ts";
import * as listings from "../listings/listings.ts";
import { textField } from "../users/fields.ts";
import * as moderation from "../users/moderation.ts";

interface Target {
  id: number;
  reason?: string | undefined;
}

/** Texts with this reason come back with their author's account. */
const SPAM = "The account is marked as spam.";

/**
 * Suspends an account for good, and hides all that it has written. Returns whether that was a change.
 * @throws AppError unauthorized, not_found, invalid
 */
export function markSpam(actor: Actor<boolean>, target: Target): Promise<boolean> {
  return actor.run(async (tx) => {
    const changed = await moderation.suspendIn(tx, actor, { ...target, isSpam: true });
    if (changed) await hideTexts(tx, { userId: target.id, reason: SPAM, now: actor.now() });
    return changed;
  });
}

/** Lifts a suspension. What marking the account as spam has hidden comes back. */
export function lift(
  actor: Actor<boolean>,
  { id, reason, only }: Target & { only?: (account: moderation.Account) => boolean },
): Promise<boolean> {
  return actor.run(async (tx) => {
    const changed = await moderation.unsuspendIn(tx, actor, { id, reason, only });
    const hiding = { userId: id, reason: SPAM, now: actor.now() };
    if (changed) for (const noun of NOUNS) await noun.bringBack(tx, hiding);
    return changed;
  });
}

/** Hides all that a person has written. Returns the number of texts; a second run has nothing left to do. */
export function unpublishAll(actor: Actor<number>, { id, reason = "" }: Target): Promise<number> {
  return actor.run(async (tx) => {
    const account = await moderation.lockAccount(tx, actor, id);
    const hidden = await hideTexts(tx, { userId: id, reason, now: actor.now() });
    const entry = { act: "unpublish_user", reason } as const;
    if (hidden > 0) await moderation.recordOn(tx, actor, account, entry);
    return hidden;
  });
}

const NOTE = { staff_note: textField(2_000) };

/** Keeps a note about a person that only staff see. */
export function setNote(actor: Actor<boolean>, { id, note }: { id: number; note: string }): Promise<boolean> {
  return actor.run(async (tx) => {
    const account = await moderation.lockAccount(tx, actor, id);
    const { staff_note = null } = checked(NOTE, { staff_note: note });
    if (account.staff_note === staff_note) return false;
    await sql`update users set staff_note = ${staff_note} where id = ${id}`.execute(tx);
    await moderation.recordOn(tx, actor, account, { act: "note_user" });
    return true;
  });
}

/** Articles go first: who hides one comment locks its article before it. */
const NOUNS = [articles, listings, comments];

async function hideTexts(tx: Db, hiding: { userId: number; reason: string; now: Date }): Promise<number> {
  let hidden = 0;
  for (const noun of NOUNS) hidden += await noun.hideAll(tx, hiding);
  return hidden;
}

/** Lifts the suspensions that have come to their end. */
export async function liftEnded(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from users where suspended and suspended_until <= ${now} order by id`.execute(db);
  const isEnded = ({ suspended_until: until }: moderation.Account) => until !== null && until <= now;
  for (const { id } of rows) await lift({ ...operator(db, () => now), by: "job" }, { id, only: isEnded });
}
