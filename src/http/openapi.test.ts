import { Type } from "typebox";
import { expect, test } from "vitest";
import { serverWith, startWorld } from "../../test/world.ts";

test("the description names both types of a body, and says that PATCH does what PUT does", async () => {
  const world = await startWorld({
    build: serverWith((app) => {
      const schema = { description: "Changes it.", body: Type.Object({}) };
      app.put("/api/things/:id", { config: { access: "write" }, schema }, async () => ({}));
    }),
  });
  const { body } = await world.get("/api/openapi.json");
  expect(body).toMatchObject({
    paths: {
      "/api/things/{id}": {
        put: {
          description: "Changes it. PATCH does the same.",
          requestBody: {
            content: { "application/json": {}, "application/vnd.service.api-v1+json": {} },
          },
        },
      },
    },
  });
  await world.stop();
});
