import { beforeAll, expect, test } from "vitest";
import { worldForAll } from "../../test/world.ts";

const lena = { username: "lena" };
const BODY = "[Steps](#steps)[^1]\n\n# Steps\n\n## Details\n\n# More\n\n[^1]: A note.\n";

const world = worldForAll();
beforeAll(async () => {
  await world.user(lena);
  await world.article(lena, { slug: "own-outline-1a", body_markdown: BODY });
  for (let each = 0; each < 2; each++) {
    await world.comment(lena, { article: "own-outline-1a", body_markdown: `${BODY}\n${each}` });
  }
});

test("the headings of an article and its comments stand under that of the page, each with an id of its own", async () => {
  const { text } = await world.get("/lena/own-outline-1a");
  const levels = [...text.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
  expect(levels).toEqual([1, 2, 3, 2, 2, 3, 4, 3, 3, 4, 3]);
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(15);
  expect(new Set(ids).size).toBe(ids.length);
  const fragments = [...text.matchAll(/ href="#([^"]*)"/g)].map(([, fragment]) => fragment);
  expect(ids).toEqual(expect.arrayContaining(fragments));
});
