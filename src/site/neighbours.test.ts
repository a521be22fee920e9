import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../test/page.ts";
import { startWorld, type World } from "../../test/world.ts";

describe("below an article", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ now: new Date("2026-03-31T12:00:00Z") });
    for (const username of ["lena", "omar", "pia"]) await world.user({ username });
    const publish = (username: string, slug: string, given: object) =>
      world.article({ username }, { slug, title: slug, published_at: "2026-03-01T00:00:00Z", ...given });
    await publish("lena", "single", { tags: ["wool", "dye"] });
    await publish("lena", "other", { tags: ["bread"] });
    await publish("lena", "part-1", { series: "Looms" });
    await publish("lena", "part-2", { series: "Looms" });
    await publish("omar", "near", { tags: ["wool", "dye"] });
    await publish("omar", "nearer", { tags: ["wool"], title: "single thread" });
    await publish("omar", "far", { tags: ["iron"] });
    await publish("pia", "alone", { tags: ["glass"] });
  });
  afterAll(() => world.stop());

  const below = async (path: string) => {
    const { words, links } = await readPage(world, path);
    return { words, paths: links.filter((link) => /^\/(?:lena|omar|pia)\/[^#/]+$/.test(link)) };
  };

  test("stand others of its author, and the ones of other authors with its tags and words, most of them first", async () => {
    const { words, paths } = await below("/lena/single");
    expect(words).toContain("More by");
    expect(paths).toEqual(["/lena/part-2", "/lena/part-1", "/lena/other", "/omar/nearer", "/omar/near"]);
  });

  test("stand none of its own series twice", async () => {
    const { paths } = await below("/lena/part-1");
    expect(paths).toEqual(["/lena/part-2", "/lena/other", "/lena/single"]);
  });

  test("stands no heading where there are none", async () => {
    const { words, paths } = await below("/pia/alone");
    expect(paths).toEqual([]);
    expect(words).not.toMatch(/More by|Related/);
  });
});
