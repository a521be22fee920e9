import { beforeAll, describe, expect, test } from "vitest";
import type { ArticleRecord } from "./record-columns.ts";
import { search } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const RECENTLY = "2026-03-30T12:00:00Z";
const FILLER = "Nothing of note happened on that day, nor on the one after it. ".repeat(20);

const ada = { username: "ada" };
const article = (title: string, fields: Partial<ArticleRecord> = {}) =>
  world.article(ada, {
    title,
    description: "In short.",
    body_markdown: FILLER,
    published_at: RECENTLY,
    ...fields,
  });
const order = async (q: string) => (await search(world, { q })).titles;

const world = worldForAll({ now: NOW });
beforeAll(() => world.user(ada));

describe("the order of a search", () => {
  test("is title, then tags and names, then description, then body, whatever is how popular", async () => {
    await world.user({ username: "lin", name: "Lin Lantern" });
    await article("In the body", { body_markdown: `${FILLER} lantern`, imported_reactions_count: 100_000 });
    await article("In the description", {
      description: "About a lantern.",
      imported_reactions_count: 10_000,
    });
    await world.article(
      { username: "lin" },
      { title: "By name", description: "In short.", published_at: RECENTLY, imported_reactions_count: 1_000 },
    );
    await article("By tag", { tags: ["lantern"], imported_reactions_count: 100 });
    await article("A lantern as a title", { imported_reactions_count: 1 });
    expect(await order("lantern")).toEqual([
      "A lantern as a title",
      "By name",
      "By tag",
      "In the description",
      "In the body",
    ]);
  });

  test("puts more of the words in the title before fewer, and a title above what is loved or new", async () => {
    const body = "An anvil, and one more anvil. ".repeat(50);
    await article("Loved", { body_markdown: body, imported_reactions_count: 5_000 });
    await article("The anvil", { published_at: "2016-03-30T12:00:00Z", imported_reactions_count: 50 });
    expect(await order("anvil")).toEqual(["The anvil", "Loved"]);
    await article("The compass", { body_markdown: "Of copper.", imported_reactions_count: 500 });
    await article("The compass of copper", { imported_reactions_count: 5 });
    expect(await order("copper compass")).toEqual(["The compass of copper", "The compass"]);
  });

  test("puts a word as typed before its inflections, and both before longer words that it begins", async () => {
    await article("Harpsichord in the deep", { imported_reactions_count: 500 });
    await article("Harps galore", { imported_reactions_count: 5 });
    await article("The harp hangs", { imported_reactions_count: 5, published_at: "2026-03-01T12:00:00Z" });
    expect(await order("harp")).toEqual(["The harp hangs", "Harps galore", "Harpsichord in the deep"]);
  });

  test("puts words side by side before words far apart, in titles and in bodies", async () => {
    await article("A kettle, hung above the gate, of copper", { imported_reactions_count: 500 });
    await article("Light a copper kettle before the gate", { imported_reactions_count: 5 });
    expect((await order("copper kettle"))[0]).toBe("Light a copper kettle before the gate");
    await article("Far apart", {
      body_markdown: `Copper. ${FILLER} A mirror.`,
      imported_reactions_count: 5_000,
    });
    await article("Side by side", {
      body_markdown: `${FILLER} A copper mirror. ${FILLER}`,
      imported_reactions_count: 50,
    });
    expect((await order("copper mirror")).slice(0, 2)).toEqual(["Side by side", "Far apart"]);
    await article("Copper, then a pendulum", { imported_reactions_count: 5 });
    await article("Copper and a gate and a wall and a roof and a pendulum", {
      imported_reactions_count: 100,
    });
    expect((await order("copper pendulum")).slice(0, 2)).toEqual([
      "Copper, then a pendulum",
      "Copper and a gate and a wall and a roof and a pendulum",
    ]);
  });

  test("is that of reactions where the words stand alike, and that of dates where these are equal or years apart", async () => {
    await article("The first saddle", { imported_reactions_count: 5 });
    await article("The second saddle", { imported_reactions_count: 50 });
    await article("The third saddle", { imported_reactions_count: 0 });
    expect(await order("saddle")).toEqual(["The second saddle", "The first saddle", "The third saddle"]);
    await article("The first trumpet", { published_at: "2021-01-01T00:00:00Z" });
    await article("The second trumpet", { published_at: "2024-01-01T00:00:00Z" });
    await article("The third trumpet", { published_at: "2018-01-01T00:00:00Z" });
    expect(await order("trumpet")).toEqual(["The second trumpet", "The first trumpet", "The third trumpet"]);
    await article("The first violin", { published_at: "2014-01-01T00:00:00Z", imported_reactions_count: 5 });
    await article("The second violin", { published_at: "2024-01-01T00:00:00Z" });
    await article("The third violin", { published_at: "2023-12-01T00:00:00Z", imported_reactions_count: 5 });
    expect(await order("violin")).toEqual(["The third violin", "The second violin", "The first violin"]);
  });
});
