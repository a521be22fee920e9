import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searchUrl } from "../../../test/searching.ts";
import { demoTemplate } from "../../../test/community-file.ts";
import { startWorld, type World } from "../../../test/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ template: await demoTemplate() });
});
afterAll(() => world.stop());

describe("a search as people type it", () => {
  test.each([
    ["question", "how to grow tomatoes", /^growing-tomatoes/],
    ["question", "how to sharpen knives", /^sharpening-kitchen-knives/],
    ["question", "how do i fix my bike", /^bicycle-rescue/],
    ["question", "why does my mayonnaise split", /^mayonnaise/],
    ["question", "what do i need to bring to a repair night", /^what-to-bring/],
    ["keywords", "letter writing tips", /^a-letter-to-someone/],
    ["keywords", "sourdough starter jar", /^sourdough-in-a-small-kitchen-the-jar/],
    ["loose title", "seven ways of saying where things are", /^seven-ways-to-say-where/],
    ["loose title", "the toaster that won't stay down", /^the-toaster/],
    ["misspelt", "crem brule without blowtorch", /^creme-brulee/],
    ["misspelt", "soldring your frist joint", /^soldering-your-first-joint/],
    ["name", "lukas brandt compost", /^leaf-mould|^kompost/],
    ["name", "hanako yamada left-handed", /^accommodating-a-left-handed-scribe/],
    ["symbols", "c++ csv parser", /^reading-a-csv-file-in-cpp/],
    ["beginning", "resistor col", /^resistor-colours/],
    ["word order", "bucket vat indigo", /^an-indigo-vat/],
    ["number", "412 broken things", /^a-year-of-repair-nights/],
    ["language", "kompost ohne gestank", /^kompost-ohne-geruch/],
    ["language", "comment réparer une fermeture éclair", /^reparer-une-fermeture/],
    ["language", "como leer un mapa con curvas de nivel", /^leer-las-curvas/],
    ["language", "как ухаживать за цепью велосипеда", /^kak-uhazhivat/],
    ["common words", "it works on my", /^it-works-on-my-bench/],
    ["absent word", "wobbly chair superglue", /^glueing-a-wobbly-chair/],
    ["phrase", '"wet-and-dry paper"', /^sharpening-a-chisel/],
    ["exclusion", "sharpening -knives -chisel", /^sharpening-secateurs/],
  ])("finds a right article among the first three: %s, %s", async (_kind, q, right) => {
    const { body } = await world.get(searchUrl({ q }));
    const slugs = (body as { slug: string }[]).slice(0, 3).map(({ slug }) => slug);
    expect(slugs).toContainEqual(expect.stringMatching(right));
  });
});
