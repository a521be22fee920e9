import type { Context } from "../context.ts";
import { notFound, unauthorized } from "../errors.ts";
import { type Answer, answer, privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { found, own } from "../http/schema.ts";
import type { ProfileRow } from "./columns.ts";
import { canBeUsername } from "./names.ts";
import * as queries from "./queries.ts";
import { User, USER_EXAMPLE, UserByUsername, UserId } from "./schema.ts";
import * as view from "./view.ts";

const tags = ["users"];

export function userRoutes(app: App, context: Context): void {
  ownProfile(app, context);
  profiles(app, context);
}

function ownProfile(app: App, { config, db }: Context): void {
  app.get(
    "/api/users/me",
    {
      config: { access: "key" },
      schema: {
        operationId: "getUserMe",
        summary: "Get the caller's profile",
        description: "The user who owns the key.",
        tags,
        response: own(User, { description: "The response contains the user.", example: USER_EXAMPLE }),
      },
    },
    async (request, reply) => {
      const row = await queries.findProfile(db.main, caller(request).id);
      // The account has been removed since its key was checked.
      if (!row) throw unauthorized();
      return privateAnswer(request, reply, show(row, config.baseUrl));
    },
  );
}

function profiles(app: App, { config, db }: Context): void {
  const operation = {
    tags,
    response: found(User, {
      description: "The response contains the user.",
      example: USER_EXAMPLE,
      refusals: [404, 422],
    }),
  };
  const present = (row: ProfileRow | undefined) => {
    if (!row) throw notFound();
    return show(row, config.baseUrl);
  };

  app.get(
    "/api/users/by_username",
    {
      config: { access: "public" },
      schema: {
        operationId: "getUserByUsername",
        summary: "Get a user by username",
        description: "The user with this username, in any case.",
        querystring: UserByUsername,
        ...operation,
      },
    },
    (request, reply) => {
      const username = request.query.url;
      return answer(request, reply, async () => {
        if (!canBeUsername(username.toLowerCase())) throw notFound();
        return present(await queries.findProfileByUsername(db.replica, username));
      });
    },
  );

  app.get(
    "/api/users/:id",
    {
      config: { access: "public" },
      schema: {
        operationId: "getUser",
        summary: "Get a user by id",
        description: "The user with this id. Any other text is 404.",
        params: UserId,
        ...operation,
      },
    },
    (request, reply) =>
      answer(request, reply, async () => present(await queries.findProfile(db.replica, request.params.id))),
  );
}

function show(row: ProfileRow, baseUrl: string): Answer {
  return { body: JSON.stringify(view.user(row, baseUrl)) };
}
