import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000).toISOString();

describe("a list that is merged from weeks and tags", () => {
  const listed: { slug: string; age: number; reactions: number; tags: string[] }[] = [];
  const bySlug = async (query: string) => {
    const { body } = await world.get(`/api/articles?${query}`);
    return (body as { slug: string }[]).map(({ slug }) => slug);
  };
  /** The same list made here: reactions, date and number, all descending. */
  const expected = (days: number, isKept: (tags: string[]) => boolean) =>
    listed
      .filter(({ age, tags }) => age < days && isKept(tags))
      .toSorted((a, b) => b.reactions - a.reactions || a.age - b.age || (a.slug < b.slug ? 1 : -1))
      .map(({ slug }) => slug);

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user({ username: "ada" });
    // 200 articles in 130 days, two of each moment, with many equal numbers; some next to a week's turn.
    for (let n = 0; n < 200; n++) {
      const tags = [...(n % 2 ? ["odd"] : []), ...(n % 3 ? [] : ["third"]), ...(n % 11 ? [] : ["rare"])];
      const age = Math.floor(n / 2) * 1.3 + 0.5 / 86_400;
      listed.push({ slug: `a-${String(n).padStart(3, "0")}`, age, reactions: (n * 7) % 13, tags });
    }
    await world.articles(
      listed.map(({ slug, age, reactions, tags }) => ({
        author: "ada",
        title: slug,
        slug,
        body_markdown: "x",
        tags,
        published_at: daysAgo(age),
        imported_reactions_count: reactions,
      })),
    );
  });

  const FILTERS: [query: string, isKept: (tags: string[]) => boolean][] = [
    ["", () => true],
    ["tag=odd", (tags) => tags.includes("odd")],
    ["tags=odd,third,odd", (tags) => tags.includes("odd") || tags.includes("third")],
    ["tags=third&tags_exclude=rare", (tags) => tags.includes("third") && !tags.includes("rare")],
    ["tags_exclude=odd", (tags) => !tags.includes("odd")],
    ["tag=odd&tags=third,rare", (tags) => tags.includes("odd") && tags.some((tag) => tag !== "odd")],
    ["tags=third,rare&username=ada", (tags) => tags.includes("third") || tags.includes("rare")],
  ];

  test.each(
    FILTERS.flatMap(([query, isKept]) =>
      [6, 7, 30, 31, 90, 91, 365].map((days) => ({ query, isKept, days })),
    ),
  )("top=$days&$query", async ({ query, isKept, days }) => {
    const all = expected(days, isKept);
    expect(all).not.toEqual([]);
    expect(await bySlug(`top=${days}&${query}&per_page=1000`)).toEqual(all);
    expect(await bySlug(`top=${days}&${query}&per_page=7&page=2`)).toEqual(all.slice(7, 14));
  });

  test.each([
    "top=30",
    "top=90&tag=odd",
    "top=31&tags=odd,third",
    "tags=odd,third",
    "tags=odd,third&sort=asc",
    "tags=odd,third&sort=desc",
  ])("the next links of ?%s lead through the whole list, each article once", async (query) => {
    const seen: string[] = [];
    let url: string | undefined = `/api/articles?${query}&per_page=9`;
    while (url !== undefined) {
      const { body, headers } = await world.get(url);
      seen.push(...(body as { slug: string }[]).map(({ slug }) => slug));
      url = /<https:\/\/ink\.example([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    expect(seen.length).toBeGreaterThan(9);
    expect(seen).toEqual(await bySlug(`${query}&per_page=1000`));
  });
});
