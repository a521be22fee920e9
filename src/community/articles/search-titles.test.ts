import { beforeAll, describe, expect, test } from "vitest";
import type { ArticleRecord } from "./record-columns.ts";
import { search } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
/** More than a search ranks of those with all words in the title, and as many with them in the body. */
const DECOYS = 320;
const TITLES = [
  "Deploy Kubernetes on Fridays",
  'Say "hello" -now',
  "The Zen of émigré cafés",
  "用火焰图分析",
  "Tuesday",
  "!!! ???",
];

/** Loved and new articles that say the same words again and again. */
function decoysOf(title: string, at: number): ArticleRecord[] {
  return Array.from({ length: DECOYS }, (_, index) => ({
    author: "ada",
    title: index % 2 === 0 ? `${title}, ${title} (${index})` : `Number ${index}`,
    slug: `decoy-${at}-${index}-x`,
    description: title,
    body_markdown: `${title} once more, ${title}. `.repeat(3),
    tags: ["decoy"],
    imported_reactions_count: 1_000 + index,
    published_at: "2026-03-30T12:00:00Z",
  }));
}

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user({ username: "ada" });
  for (const [at, title] of TITLES.entries()) {
    await world.articles(decoysOf(title, at));
    const fields = { description: "In short.", published_at: "2012-01-01T00:00:00Z", tags: ["decoy"] };
    await world.article({ username: "ada" }, { title, ...fields });
  }
});

describe("the article whose exact title is typed", () => {
  test.each(TITLES)("comes first, whatever else holds the words: %s", async (title) => {
    const { titles, match } = await search(world, { q: title });
    expect(titles[0]).toBe(title);
    expect(match).toBe("exact");
  });

  test.each([
    ["deploy KUBERNETES on fridays", "Deploy Kubernetes on Fridays"],
    ["  Deploy   Kubernetes on Fridays! ", "Deploy Kubernetes on Fridays"],
    ["the zen of emigre cafes", "The Zen of émigré cafés"],
    ['"Deploy Kubernetes on Fridays"', "Deploy Kubernetes on Fridays"],
  ])("comes first however it is written: %s", async (q, title) => {
    expect((await search(world, { q })).titles[0]).toBe(title);
  });

  test("comes first within a tag and within the days of `top` it does not belong to", async () => {
    const q = "Deploy Kubernetes on Fridays";
    expect((await search(world, { q, tag: "decoy" })).titles[0]).toBe(q);
    expect((await search(world, { q, top: 30, per_page: 100 })).titles).not.toContain(q);
    const signs = "!!! ???";
    expect((await search(world, { q: signs, tag: "decoy" })).titles).toEqual([signs]);
    expect((await search(world, { q: signs, tag: "unused" })).titles).toEqual([]);
    for (const top of [30, 365]) expect((await search(world, { q: signs, top })).titles).toEqual([]);
    expect((await search(world, { q: signs, top: 36_500 })).titles).toEqual([signs]);
  });

  test("is not found where its words are excluded, though signs make no difference to a title otherwise", async () => {
    expect((await search(world, { q: "-Tuesday" })).titles).toEqual([]);
    expect((await search(world, { q: "!!! -Tuesday" })).titles).toEqual([]);
    await world.article({ username: "ada" }, { title: "Fridays turn 10" });
    expect((await search(world, { q: "fridays: turn 10!" })).titles[0]).toBe("Fridays turn 10");
    expect((await search(world, { q: "fridays turn -10" })).titles).not.toContain("Fridays turn 10");
  });

  test("gives every article with the same title before all others", async () => {
    const again = { title: "deploy kubernetes on fridays", published_at: "2011-01-01T00:00:00Z" };
    await world.article({ username: "ada" }, again);
    const { titles } = await search(world, { q: "Deploy Kubernetes on Fridays", per_page: 3 });
    expect(titles.slice(0, 2)).toEqual(["Deploy Kubernetes on Fridays", "deploy kubernetes on fridays"]);
  });
});
