import { expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { RENDERER_VERSION } from "../../platform/jobs/rerender.ts";
import { rerender } from "./body.ts";

const world = worldForAll();

test("comments that an older renderer made are made again once, and shown at once", async () => {
  const ada = await world.user({ username: "ada" });
  const { id } = await world.article(ada, { slug: "looms-1a" });
  for (const body_markdown of ["*One*", "*Two*"])
    await world.comment(ada, { article: "looms-1a", body_markdown });
  await world.db
    .updateTable("comments")
    .set({ renderer_version: 0, body_html: "<p>Old</p>" })
    .where("body_markdown", "=", "*Two*")
    .execute();
  const shown = async () =>
    ((await world.get(`/api/comments?a_id=${id}`)).body as { body_html: string }[]).map(
      ({ body_html }) => body_html,
    );
  expect(await shown()).toContain("<p>Old</p>");
  expect(await rerender(world.db, world.services.renderPool)).toBe(1);
  expect(await shown()).toEqual(["<p><em>One</em></p>\n", "<p><em>Two</em></p>\n"]);
  expect(await rerender(world.db, world.services.renderPool)).toBe(0);
  const versions = await world.db.selectFrom("comments").select("renderer_version").distinct().execute();
  expect(versions).toEqual([{ renderer_version: RENDERER_VERSION }]);
});

test("an edit while a comment is rendered again stays", async () => {
  const eve = await world.user();
  await world.article(eve, { slug: "contested-1a" });
  const { id } = await world.comment(eve, { article: "contested-1a", body_markdown: "before" });
  const change = (to: object) => world.db.updateTable("comments").set(to).where("id", "=", id).execute();
  await change({ renderer_version: 0 });
  const { renderPool } = world.services;
  const slow = {
    ...renderPool,
    render: async (...given: Parameters<typeof renderPool.render>) => {
      const rendered = await renderPool.render(...given);
      await change({ body_markdown: "after", body_html: "<p>after</p>" });
      return rendered;
    },
  };
  await rerender(world.db, slow);
  const row = await world.db
    .selectFrom("comments")
    .select("body_html")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row.body_html).toBe("<p>after</p>");
});
