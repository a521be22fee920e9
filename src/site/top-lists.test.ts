import { beforeAll, expect, test } from "vitest";
import { readPage } from "../../test/documents.ts";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll({ now: new Date("2026-03-31T12:00:00Z") });
beforeAll(async () => {
  await world.user({ username: "lena" });
  await world.article(
    { username: "lena" },
    { title: "Carding", tags: ["wool"], published_at: "2026-03-10T00:00:00Z" },
  );
});

test.each(["/", "/t/wool"])("the top articles of a time without any lead to the latest: %s", async (path) => {
  const { words, links } = await readPage(world, `${path}?top=week`);
  expect(words).toContain("Nothing published this week");
  expect(words).not.toContain("No articles with this tag");
  expect(links.filter((link) => link === path)).toHaveLength(2);
  expect((await readPage(world, `${path}?top=month`)).words).toContain("Carding");
});
