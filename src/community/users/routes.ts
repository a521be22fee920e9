import { notFound, unauthorized } from "../../platform/errors.ts";
import type { Answer } from "../../http/answers.ts";
import { operations, type Program, read } from "../../http/operation.ts";
import { found } from "../../http/responses.ts";
import type { ProfileRow } from "./columns.ts";
import { canBeUsername } from "./names.ts";
import * as queries from "./queries.ts";
import { User, USER_EXAMPLE, UserByUsername, UserId } from "./schema.ts";
import * as view from "./view.ts";

const answers = found(User, "the user", USER_EXAMPLE, { refusals: [404, 422] });

export const userRoutes = operations("users", [
  read({
    path: "GET /api/users/me",
    id: "getUserMe",
    access: "key",
    summary: "Get the caller's profile",
    description: "The user who owns the key.",
    answers: found(User, "the user", USER_EXAMPLE),
    async run({ caller }, program) {
      const row = await queries.findProfile(program.db.main, caller.id);
      // The account has been removed since its key was checked.
      if (!row) throw unauthorized();
      return show(row, program);
    },
  }),
  read({
    path: "GET /api/users/by_username",
    id: "getUserByUsername",
    access: "public",
    summary: "Get a user by username",
    description: "The user with this username, in any case.",
    query: UserByUsername,
    answers,
    async run({ query: { url: username } }, program) {
      if (!canBeUsername(username.toLowerCase())) throw notFound();
      return show(await queries.findProfileByUsername(program.db.replica, username), program);
    },
  }),
  read({
    path: "GET /api/users/:id",
    id: "getUser",
    access: "public",
    summary: "Get a user by id",
    description: "The user with this id. Any other text is 404.",
    params: UserId,
    answers,
    run: async ({ params }, program) =>
      show(await queries.findProfile(program.db.replica, params.id), program),
  }),
]);

function show(row: ProfileRow | undefined, { baseUrl }: Program): Answer {
  if (!row) throw notFound();
  return { body: JSON.stringify(view.user(row, baseUrl)) };
}
