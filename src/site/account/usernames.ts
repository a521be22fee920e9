import { Type } from "typebox";
import { notFound } from "../../platform/errors.ts";
import type { Mount } from "../../http/operation.ts";
import { takeTyped } from "../../platform/limits/buckets.ts";
import { USERNAME_CHECK } from "../../platform/paths.ts";
import { findAdmission, nameFault } from "../../community/users/joining.ts";

const Query = Type.Object({
  username: Type.String({ maxLength: 100, "x-any-text": true }),
  invitation: Type.Optional(Type.String({ maxLength: 200 })),
});

/** Says whether a username is free, as `fault`: a sentence, or null. Only for a person who may join. */
export const usernameRoute: Mount = (app, { config, db, now }) => {
  app.get(
    USERNAME_CHECK,
    { config: { access: "open", limited: true }, schema: { hide: true, querystring: Query } },
    async ({ ip, query: { username, invitation } }, reply) => {
      if (config.rateLimits) takeTyped(app.buckets, "usernames", ip);
      if ((await findAdmission(db.main, invitation, now())) === undefined) throw notFound();
      const words = await nameFault(db.main, username);
      const fault = words === undefined ? null : `Username ${words}`;
      return reply.header("cache-control", "private, no-store").send({ fault });
    },
  );
};
