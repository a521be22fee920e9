import { beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../test/documents.ts";
import { worldForAll } from "../../test/world.ts";
import { addUpChanges } from "../search/vocabulary.ts";

describe("below an article", () => {
  const world = worldForAll({ now: new Date("2026-03-31T12:00:00Z") });
  beforeAll(async () => {
    for (const username of ["lena", "omar", "pia", "alma"]) await world.user({ username });
    const publish = (username: string, slug: string, given: object) =>
      world.article({ username }, { slug, title: slug, published_at: "2026-03-01T00:00:00Z", ...given });
    await publish("lena", "single", { tags: ["wool", "dye"], title: "A single spun thread" });
    await publish("lena", "other", { tags: ["bread"] });
    await publish("lena", "part-1", { series: "Looms" });
    await publish("lena", "part-2", { series: "Looms" });
    await publish("omar", "near", { tags: ["wool", "dye"] });
    await publish("omar", "nearer", { tags: ["wool"], title: "Single threads: a spun thread" });
    await publish("omar", "far", { tags: ["iron"] });
    await publish("alma", "alone", { tags: ["glass"] });
    for (let number = 1; number <= 45; number++) await publish("pia", `note-${number}`, { tags: ["notes"] });
    await addUpChanges(world.db);
  });

  const below = async (path: string) => {
    const { words, links } = await readPage(world, path);
    return { words, paths: links.filter((link) => /^\/(?:lena|omar|pia|alma)\/[^#/]+$/.test(link)) };
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

  test("stands nothing that shares a frequent tag alone, or is of another language", async () => {
    const french =
      "Chère amie, je vous remercie de la lettre que vous m'avez écrite au printemps, et de toutes les nouvelles du jardin, que nous avons lues ensemble hier soir devant la cheminée.";
    const english =
      "Count your paces along a straight road, and write the number down at every corner, because the map that you draw this evening depends on the numbers of the morning.";
    const publish = (username: string, slug: string, given: object) =>
      world.article({ username }, { slug, title: slug, published_at: "2026-03-01T00:00:00Z", ...given });
    const onPaper = { title: "Hills drawn on paper", tags: ["maps", "notes"], body_markdown: english };
    await publish("lena", "paces", onPaper);
    await publish("omar", "merci", { tags: ["notes"], body_markdown: french });
    await publish("omar", "relief", { tags: ["maps"], title: "Hills", body_markdown: french });
    await publish("omar", "bearings", { tags: ["maps"], body_markdown: english });
    await publish("pia", "words", { tags: ["notes"], title: "Hills drawn in words", body_markdown: english });
    await addUpChanges(world.db);
    const { paths } = await below("/lena/paces");
    expect(paths.filter((path) => !path.startsWith("/lena/"))).toEqual(["/pia/words", "/omar/bearings"]);
    const { words } = await below("/omar/merci");
    expect(words).not.toContain("Related articles");
  });

  test("stands no heading where there are none", async () => {
    const { words, paths } = await below("/alma/alone");
    expect(paths).toEqual([]);
    expect(words).not.toMatch(/More by|Related/);
  });
});
