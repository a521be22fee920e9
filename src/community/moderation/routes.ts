import { Type } from "typebox";
import type { Actor, Author } from "../../http/actor.ts";
import { operations, write } from "../../http/operation.ts";
import { emptied } from "../../http/responses.ts";
import { idParameter } from "../../http/schema.ts";
import * as acts from "./acts.ts";

const params = Type.Object({ id: idParameter("The id of the user.", 2) });
type Declared = Pick<Parameters<typeof write>[0], "path" | "id" | "summary" | "description">;

const act = <Result>({
  run,
  ...declared
}: Declared & { run: (actor: Actor<Result>, target: { id: number }) => Promise<Result> }) =>
  write({
    ...declared,
    access: "write",
    description: `${declared.description} For moderators, who can't act on moderators and admins, and for admins, but not on themselves: a 422 says so.`,
    params,
    answers: emptied("Done, also if it was so before."),
    run: (actor: Author<Result>, { params: target }) => run(actor, target),
  });

export const moderationRoutes = operations("users", [
  act({
    path: "PUT /api/users/:id/suspend",
    id: "suspendUser",
    summary: "Suspend a user",
    description: "Refuses the user's keys and sessions for good.",
    run: acts.suspend,
  }),
  act({
    path: "DELETE /api/users/:id/suspend",
    id: "unsuspendUser",
    summary: "Lift a user's suspension",
    description: "What marking the account as spam has hidden comes back.",
    run: acts.lift,
  }),
  act({
    path: "PUT /api/users/:id/spam",
    id: "markUserAsSpam",
    summary: "Mark a user as spam",
    description: "Suspends the user for good, and hides all that the user wrote.",
    run: (actor: Actor<boolean>, target) => acts.suspend(actor, { ...target, isSpam: true }),
  }),
  act({
    path: "DELETE /api/users/:id/spam",
    id: "unmarkUserAsSpam",
    summary: "Take back that a user is spam",
    description: "Lifts the suspension, and shows what the mark has hidden.",
    run: (actor: Actor<boolean>, target) => acts.lift(actor, { ...target, only: ({ spam }) => spam }),
  }),
  act({
    path: "PUT /api/users/:id/unpublish",
    id: "unpublishUser",
    summary: "Unpublish all that a user wrote",
    description: "Unpublishes the user's articles and listings, and hides the comments.",
    run: acts.unpublishAll,
  }),
]);
