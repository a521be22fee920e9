import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
import { RENDERER_VERSION } from "../text/markdown.ts";
import { renderAgain } from "./rendering-again.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

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
  expect(await renderAgain(world.db, world.engine.renderPool)).toBe(1);
  expect(await shown()).toEqual(["<p><em>One</em></p>\n", "<p><em>Two</em></p>\n"]);
  expect(await renderAgain(world.db, world.engine.renderPool)).toBe(0);
  const versions = await world.db.selectFrom("comments").select("renderer_version").distinct().execute();
  expect(versions).toEqual([{ renderer_version: RENDERER_VERSION }]);
});
