import { type Actor, userOf } from "../actor.ts";
import type { Db } from "../db/connect.ts";
import { invalid, notFound } from "../errors.ts";
import { readField } from "../fields/fields.ts";
import * as mails from "../mail/queue.ts";
import * as settings from "../settings/settings.ts";
import * as addresses from "./addresses.ts";
import { textField } from "./fields.ts";
import { createUser, MAX_REASON } from "./joining.ts";
import * as signUps from "./sign-ups.ts";
import * as users from "./users.ts";

const DECLINE = textField(MAX_REASON);

/** Makes an account of an application; false when another admin or moderator has decided it. */
export function approve(actor: Actor<boolean>, id: number): Promise<boolean> {
  return actor.run(async (tx) => {
    await requireStaff(tx, userOf(actor).id);
    const person = await signUps.take(tx, id);
    if (person === undefined) return false;
    const { registration } = await settings.read(tx);
    if (registration === "closed") throw invalid("Registration is closed: nobody can be let in");
    const now = actor.now();
    // Another person may have confirmed the address while the applicant waited.
    const is_confirmed = person.is_confirmed && (await addresses.ownerOf(tx, person.email)) === undefined;
    // Applicants come without an invitation: one that they had given had ended.
    const userId = await createUser(tx, { ...person, invitation_id: null, is_confirmed }, now);
    if (is_confirmed) await mails.enqueue(tx, { kind: "application_approved", userId, about: {} }, now);
    return true;
  });
}

/** Declines an application; false when another person has decided it. */
export async function decline(
  tx: Db,
  { userId, id, reason: text }: { userId: number; id: number; reason: string },
  now: Date,
): Promise<boolean> {
  await requireStaff(tx, userId);
  const reason = readField(DECLINE, text, "decline_reason") ?? "";
  const declined = await signUps.decline(tx, { id, reason }, now);
  if (declined === undefined) return false;
  const { email: address, is_confirmed } = declined;
  if (is_confirmed)
    await mails.enqueue(tx, { kind: "application_declined", address, about: { sign_up_id: id } }, now);
  return true;
}

/** @throws AppError not_found for other members */
async function requireStaff(tx: Db, userId: number): Promise<void> {
  if ((await users.requireActive(tx, userId)) === "member") throw notFound();
}
