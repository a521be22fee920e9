import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { followNext, type SearchParameters } from "../../../test/searching.ts";
import { startWorld, type World } from "../../../test/world.ts";

const DAY_MS = 86_400_000;
/** A Thursday: marks of weeks change at this moment, and at that of `top=7` before it. */
const THURSDAY = new Date("2026-04-02T00:00:00Z");
const NOON_LATER = new Date("2026-04-05T12:34:56.789Z");
const WINDOWS = [1, 7, 31, 32, 365, 36_500];
const FOUND_WORD = "tessera";

interface Row {
  id: number;
  reactions: number;
  publishedAt: number;
  isTagged: boolean;
  hasWord: boolean;
}

let world: World;
let rows: Row[];

/** Moments on, right before and right after every edge that could matter, and others in between. */
function moments(): number[] {
  const edges = [THURSDAY, NOON_LATER].flatMap((now) =>
    WINDOWS.slice(0, -1).map((days) => now.getTime() - days * DAY_MS),
  );
  const weeks = Array.from({ length: 8 }, (_, week) => THURSDAY.getTime() - week * 7 * DAY_MS);
  const spread = Array.from({ length: 120 }, (_, index) => THURSDAY.getTime() - 1 - index ** 2 * 3_600_000);
  const near = [...edges, ...weeks].flatMap((moment) => [moment - 1, moment, moment + 1]);
  return [...near, ...spread].filter((moment) => moment <= THURSDAY.getTime());
}

async function start(now: Date): Promise<void> {
  world = await startWorld({ now });
  await world.user({ username: "ada" });
  await world.articles(
    moments().map((moment, index) => ({
      author: "ada",
      title: index % 5 === 0 ? `About ${FOUND_WORD} ${index}` : `About number ${index}`,
      slug: `article-${index}-x`,
      description: "In short.",
      body_markdown: index % 2 === 0 ? `There is a ${FOUND_WORD}.` : "There is nothing.",
      tags: index % 3 === 0 ? ["mosaic"] : [],
      published_at: new Date(moment).toISOString(),
      // Few numbers, so that dates decide often; where these are equal too, the id does.
      imported_reactions_count: (index * 7) % 4,
    })),
  );
  const articles = await world.db.selectFrom("articles").selectAll().execute();
  rows = articles.map((article) => ({
    id: article.id,
    reactions: article.public_reactions_count,
    publishedAt: article.published_at?.getTime() ?? 0,
    isTagged: article.tag_list.includes("mosaic"),
    hasWord: `${article.title} ${article.body_markdown}`.includes(FOUND_WORD),
  }));
}

/** The matches in order, computed without the search. */
function expected({ q, tag, top = 36_500 }: SearchParameters, now: Date): number[] {
  const since = now.getTime() - top * DAY_MS;
  return rows
    .filter(({ publishedAt }) => publishedAt > since)
    .filter(({ hasWord }) => q === undefined || hasWord)
    .filter(({ isTagged }) => tag === undefined || isTagged)
    .toSorted(
      (one, other) =>
        other.reactions - one.reactions || other.publishedAt - one.publishedAt || other.id - one.id,
    )
    .map(({ id }) => id);
}

describe("a search with top", () => {
  describe.each([
    ["when a week begins", THURSDAY],
    ["within a week", NOON_LATER],
  ])("%s", (_, now) => {
    beforeAll(() => start(now));
    afterAll(() => world.stop());

    test("has edges and equal places to go wrong at", () => {
      expect(new Set(rows.map(({ publishedAt }) => publishedAt)).size).toBeLessThan(rows.length);
    });

    test.each(
      WINDOWS.flatMap((top): SearchParameters[] => [
        { top },
        { top, q: FOUND_WORD },
        { top, tag: "mosaic" },
        { top, q: FOUND_WORD, tag: "mosaic" },
      ]),
    )("is exactly by reactions, date and number: %o", async (parameters) => {
      const wanted = expected(parameters, now);
      const pages = await followNext(world, { ...parameters, per_page: 7 });
      expect(pages.flatMap(({ ids }) => ids)).toEqual(wanted);
    });

    test("keeps what was published a moment after the border, not what was on it", async () => {
      const border = now.getTime() - 7 * DAY_MS;
      const [page] = await followNext(world, { top: 7, per_page: 100 });
      const dates = rows.filter(({ id }) => page?.ids.includes(id)).map(({ publishedAt }) => publishedAt);
      expect(dates).toContain(border + 1);
      expect(dates).not.toContain(border);
    });
  });
});
