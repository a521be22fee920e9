import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { searchUrl } from "../../../test/searching.ts";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const SEED = 20_260_331;
const MAX_LENGTH = 1_000;

/** Parts of queries and articles, so that many match, and texts that break out of bad quoting. */
const PIECES = [
  Array.from("abcAZ019 -\"'\\&|!()<>:*.+#_@/%?=,;^$~[]{}`"),
  ["\0", "\u0001", "\n", "\t", "\u200b", "\u202e", "\ufeff", "\uffff", "\ud800", "\udc00"],
  [" ", " ", " ", " -", ' "', '" ', ' -"', "''", "'':*", "<->", "<2>", " & ", " | ", " !", ":*", ":A"],
  ["\\'", "$$", "--", "é", "e\u0301", "ß", "İ", "ﬁ", "½", "’", "“", "”"],
  ["中", "国", "東京", "ก็", "한", "ب", "😀", "👩‍👩‍👧"],
  ["running", "run", "tomatoes", "tomato", "c++", "c#", ".net", "node.js", "1.29", "useEffect"],
  ["snake_case", "a@b.c", "~t1", "~w2934", "=run", "javscript", "JavaScript", "aaaaaaaaaaaaaaaa"],
  ["https://", "or", "and", "not", "null"],
].flat();

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user({ username: "ada" });
  const texts = fc.sample(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }), {
    numRuns: 60,
    seed: SEED,
  });
  await world.articles(
    texts.map((pieces, index) => {
      const text = pieces
        .join("")
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, " ");
      return {
        author: "ada",
        title: `${text} x`,
        slug: `article-${index}-x`,
        body_markdown: `${text} tomatoes running`,
        tags: ["any"],
      };
    }),
  );
});

const ofPieces = (maxLength: number) =>
  fc.array(fc.constantFrom(...PIECES), { maxLength, size: "max" }).map((pieces) => pieces.join(""));
const longRun = fc
  .tuple(fc.constantFrom(...PIECES), fc.integer({ min: 1, max: 260 }))
  .map(([piece, count]) => piece.repeat(count).slice(0, 210));
const ANY_TEXT = fc.oneof(
  { weight: 3, arbitrary: ofPieces(3) },
  { weight: 3, arbitrary: ofPieces(30) },
  { weight: 1, arbitrary: ofPieces(150) },
  { weight: 1, arbitrary: longRun },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 120 }) },
);
const OPTIONS = fc.constantFrom(
  {},
  { top: 7 },
  { tag: "any" },
  { page: 1, per_page: 1 },
  { top: 365, tag: "any", per_page: 2 },
);

describe("a search for any text", () => {
  test("is answered, or refused for its length alone", async () => {
    let answered = 0;
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(ANY_TEXT, OPTIONS, async (text, options) => {
        // What can't be written in a URL can't be asked.
        const q = text.toWellFormed();
        const { status, body, headers } = await world.get(searchUrl({ q, ...options }));
        expect(status).toBe(Array.from(q.trim()).length > MAX_LENGTH ? 422 : 200);
        if (status === 200) {
          expect(Array.isArray(body)).toBe(true);
          answered += 1;
          if (headers["x-search-match"] !== undefined && (body as unknown[]).length > 0) matched += 1;
        }
        expect(world.bugs).toEqual([]);
      }),
      { seed: SEED, numRuns: cases(500, 100) },
    );
    expect(answered).toBeGreaterThan(cases(300, 60));
    expect(matched).toBeGreaterThan(cases(50, 10));
  });

  test.each(["%00", "%ff%fe", "%ed%a0%80", "%", "%zz", "%c3%28", "+", "%20%20"])(
    "is answered or refused however it is written in the URL: %s",
    async (written) => {
      const { status } = await world.get(`/api/articles/search?q=${written}`);
      expect([200, 422]).toContain(status);
      expect(world.bugs).toEqual([]);
    },
  );
});
