import { type Actor, userOf } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { readField } from "../../platform/fields/fields.ts";
import * as mails from "../../mail/queue.ts";
import * as settings from "../../platform/settings/settings.ts";
import { textField } from "./fields.ts";
import { createUser, MAX_REASON } from "./joining.ts";
import * as addresses from "./addresses.ts";
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
    const userId = await createUser(tx, { ...person, invitation_id: null, isProven: false }, now);
    const { email: address } = person;
    await addresses.wait(tx, { userId, address }, now);
    await mails.enqueue(tx, { kind: "application_approved", userId, address, about: {} }, now);
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
  const address = await signUps.decline(tx, { id, reason }, now);
  if (address === undefined) return false;
  await mails.enqueue(tx, { kind: "application_declined", address, about: { sign_up_id: id } }, now);
  return true;
}

/** @throws AppError not_found for other members */
async function requireStaff(tx: Db, userId: number): Promise<void> {
  if ((await users.requireActive(tx, userId)) === "member") throw notFound();
}
