import { type Actor, userOf } from "../../http/actor.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { lock, putMember } from "./organizations.ts";
import * as queries from "./queries.ts";

export { invitationsOf } from "./queries.ts";

/** Asks a person to become a member. Returns whether that is new. */
export function invite(actor: Actor<boolean>, membership: queries.Membership): Promise<boolean> {
  return actor.run(async (tx) => {
    await lock(tx, membership.organizationId, actor);
    if (await queries.findRole(tx, membership)) throw invalid("This person is a member already");
    return queries.insertInvitation(tx, membership, actor.now());
  });
}

/** Accepts or declines an invitation of the actor. @throws AppError not_found for one that was withdrawn */
export function answer(
  actor: Actor<void>,
  { organizationId, accepts }: { organizationId: number; accepts: boolean },
): Promise<void> {
  return actor.run(async (tx) => {
    await lock(tx, organizationId, undefined);
    const membership = { organizationId, userId: userOf(actor).id };
    if (!(await queries.deleteInvitation(tx, membership))) throw notFound();
    if (accepts && !(await queries.findRole(tx, membership))) await putMember(tx, membership, "member");
  });
}
