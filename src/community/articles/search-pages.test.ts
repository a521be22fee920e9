import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ArticleRecord } from "./record-columns.ts";
import { followNext, search, type SearchParameters } from "../../../test/searching.ts";
import { startWorld, type World } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const COUNT = 2_500;

let world: World;
/** The number in the title of an article by its id. */
const numbers = new Map<number, number>();

/** Which of the articles have which words. */
const HAS = {
  tide: () => true,
  ebb: (number: number) => number % 2 === 0,
  flow: (number: number) => number % 3 === 0,
  /** Words that all have; side by side in one of 97. */
  phrase: (number: number) => number % 97 === 0,
  tag: (number: number) => number % 4 === 0,
  /** More than are ranked for their titles, scattered over all. */
  inTitle: (number: number) => number % 7 === 0,
  /** Titled with nothing but the word, and little loved. */
  isTitle: (number: number) => number % 250 === 1,
};

function record(number: number): ArticleRecord {
  const words = [
    "tide",
    HAS.ebb(number) ? "ebb" : "",
    HAS.flow(number) ? "and then flow" : "",
    HAS.phrase(number) ? "salt marsh" : "marsh without salt",
  ];
  const title = HAS.inTitle(number) ? `The tide, number ${number}` : `Number ${number}`;
  return {
    author: "ada",
    title: HAS.isTitle(number) ? "Tide" : title,
    slug: `article-${number}-x`,
    description: "In short.",
    body_markdown: words.join(" "),
    tags: HAS.tag(number) ? ["sea"] : [],
    imported_reactions_count: HAS.isTitle(number) ? 0 : (number * 7_919) % 600,
    published_at: new Date(NOW.getTime() - number * 3_600_000).toISOString(),
  };
}

beforeAll(async () => {
  world = await startWorld({ now: NOW });
  await world.user({ username: "ada" });
  for (let from = 0; from < COUNT; from += 500) {
    await world.articles(Array.from({ length: 500 }, (_, index) => record(from + index)));
  }
  await world.loadSearch();
  const articles = await world.db.selectFrom("articles").select(["id", "slug"]).execute();
  for (const { id, slug } of articles) numbers.set(id, Number(slug.split("-")[1]));
  // A search that goes on for long answers with what it has; here its clock stands still, however busy the computer is.
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterAll(async () => {
  vi.useRealTimers();
  await world.stop();
});

function having(condition: (number: number) => boolean): number[] {
  return [...numbers.values()].filter(condition).toSorted((one, other) => one - other);
}

const SEARCHES: [SearchParameters, (number: number) => boolean][] = [
  [{ q: "tide" }, HAS.tide],
  [{ q: "tid" }, HAS.tide],
  [{ q: "flow ebb" }, (number) => HAS.ebb(number) || HAS.flow(number)],
  [{ q: "tide -ebb" }, (number) => !HAS.ebb(number)],
  [{ q: '"salt marsh"' }, HAS.phrase],
  [{ q: 'tide -"salt marsh"' }, (number) => !HAS.phrase(number)],
  [{ q: "tide", tag: "sea" }, HAS.tag],
  [{ q: '"salt marsh"', tag: "sea" }, (number) => HAS.phrase(number) && HAS.tag(number)],
  [{ q: "tide", top: 36_500 }, HAS.tide],
  [{ q: "flow ebb", top: 36_500 }, (number) => HAS.ebb(number) && HAS.flow(number)],
  [{ q: '"salt marsh"', top: 36_500 }, HAS.phrase],
  [{ q: '"salt marsh"', top: 31 }, (number) => HAS.phrase(number) && number < 31 * 24],
  [{ top: 36_500 }, HAS.tide],
  [{}, HAS.tide],
];

describe("the pages of a search with 2,500 matches", () => {
  test.each(SEARCHES)(
    "give every match once by their next links, and the same by number: %o",
    async (parameters, condition) => {
      const pages = await followNext(world, { ...parameters, per_page: 100 });
      const ids = pages.flatMap((page) => page.ids);
      const seen = ids.map((id) => numbers.get(id) as number);
      expect(seen.toSorted((one, other) => one - other)).toEqual(having(condition));

      const byNumber: number[] = [];
      for (let page = 0; page * 100 < ids.length + 100; page += 1) {
        const found = await search(world, { ...parameters, per_page: 100, page });
        byNumber.push(...found.ids);
      }
      expect(byNumber).toEqual(ids);
    },
    120_000,
  );

  test("are full while there are more, and empty past the end", async () => {
    for (const q of ["tide", '"salt marsh"', 'tide -"salt marsh"']) {
      const pages = await followNext(world, { q, per_page: 20 });
      expect(new Set(pages.slice(0, -1).map(({ ids }) => ids.length))).toEqual(new Set([20]));
    }
    for (const page of [30, 2_147_483_647]) {
      expect(await search(world, { q: "tide", page, per_page: 100 })).toMatchObject({
        ids: [],
        match: undefined,
      });
      expect(await search(world, { q: "tide", top: 36_500, page, per_page: 100 })).toMatchObject({ ids: [] });
    }
  });

  test("are in the exact order of popularity with top", async () => {
    const rows = await world.db
      .selectFrom("published_articles")
      .select("article_id")
      .orderBy("reactions", "desc")
      .orderBy("published_at", "desc")
      .orderBy("article_id", "desc")
      .execute();
    const pages = await followNext(world, { q: "tide", top: 36_500, per_page: 77 });
    expect(pages.flatMap(({ ids }) => ids)).toEqual(rows.map(({ article_id }) => article_id));
  });

  test("begin with the very title, then the word in titles", async () => {
    const pages = await followNext(world, { q: "tide", per_page: 100 });
    const titles = pages.flatMap((page) => page.titles);
    const [exact, others] = [having(HAS.isTitle).length, having(HAS.inTitle).length];
    expect(titles.slice(0, exact)).toEqual(Array.from({ length: exact }, () => "Tide"));
    const next = titles.slice(exact, exact + others);
    expect(next.filter((title) => title.startsWith("The tide")).length).toBeGreaterThan(0.95 * others);
  });

  test("begin with all that have both words, and go on with those that have one", async () => {
    const pages = await followNext(world, { q: "flow ebb", per_page: 100 });
    const seen = pages.flatMap(({ ids }) => ids).map((id) => numbers.get(id) as number);
    const both = having((number) => HAS.ebb(number) && HAS.flow(number));
    expect(seen.slice(0, both.length).toSorted((one, other) => one - other)).toEqual(both);
  });
});
