import { expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { RENDERER_VERSION } from "../../platform/jobs/rerender.ts";
import { rerender } from "./listings.ts";

const world = worldForAll();

test("what an older renderer made is made again, once", async () => {
  const lena = await world.user({ username: "lena" });
  for (let n = 0; n < 60; n++) await world.listing(lena, { body_markdown: `_${n}_` });
  await world.db
    .updateTable("listings")
    .set({ body_html: "old", renderer_version: 0 })
    .where("id", "<=", 55)
    .execute();
  expect(await rerender(world.db, world.services.renderPool)).toBe(55);
  expect(await rerender(world.db, world.services.renderPool)).toBe(0);
  const rows = await world.db
    .selectFrom("listings")
    .select(["body_html", "renderer_version"])
    .orderBy("id")
    .execute();
  expect(rows).toEqual(
    rows.map((_, n) => ({ body_html: `<p><em>${n}</em></p>\n`, renderer_version: RENDERER_VERSION })),
  );
});
