import type { Context } from "../context.ts";
import { privateAnswer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { errors, ok } from "../http/schema.ts";
import { Settings } from "../settings/schema.ts";
import * as settings from "../settings/settings.ts";

/** The community's settings, for its admins. The settings of the process, which include secrets, aren't shown. */
export function configRoute(app: App, { db }: Context): void {
  app.get(
    "/api/admin/config",
    {
      config: { access: "admin" },
      schema: {
        operationId: "getAdminConfig",
        summary: "Get the community's settings",
        description: "All settings by name, including those with default values. For admins.",
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
