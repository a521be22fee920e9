import type { Context } from "../context.ts";
import { privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { errors, ok } from "../http/schema.ts";
import { Settings } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";

/** The community's settings, for its admins. What the process is told, secrets among it, isn't theirs to read. */
export function configRoute(app: App, { db }: Context): void {
  app.get(
    "/api/admin/config",
    {
      config: { access: "admin" },
      schema: {
        operationId: "getAdminConfig",
        summary: "The community's settings",
        description: "Every setting by its name, those that have their default too. For the key of an admin.",
        tags: ["instance"],
        response: {
          200: ok(Settings, { description: "The settings.", example: settings.defaults() }),
          ...errors(304, 401, 429, 500, 503),
        },
      },
    },
    async (request, reply) =>
      privateAnswer(request, reply, { body: JSON.stringify(await settings.read(db.main)) }),
  );
}
