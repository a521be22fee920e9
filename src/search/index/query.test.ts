import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../test/long.ts";
import { parseQuery, type WordQuery } from "./query.ts";
import { writeLoose, writeLooseExclusion } from "../../../test/searching.ts";
import { writeExact } from "./terms.ts";

const english = (q: string) => written(parseQuery(q, { language: "english" }));

/** As tsqueries that ask for all words: what the index answers alone, and the whole where that is more. */
function written(query: WordQuery | null) {
  if (query === null) return null;
  const wanted = query.clauses.map(({ condition }) => condition);
  const excluded = query.exclusions.flatMap((condition) => writeLooseExclusion(condition) ?? []);
  const loose = [...wanted.map(writeLoose), ...excluded].join(" & ");
  const exact = [
    ...wanted.map(writeExact),
    ...query.exclusions.map((condition) => `!${writeExact(condition)}`),
  ].join(" & ");
  const words = query.words.map(({ word, occurs }) => ({ word, occurs: writeExact(occurs) }));
  return { loose, exact: exact === loose ? undefined : exact, words };
}

test.each(["", "   ", "-loom", '-"red wool" -felt', "!!! ???", '"', '""', "-", "🎉", "\0", "\ud800", "__"])(
  "%j looks for nothing",
  (q) => {
    expect(english(q)).toBeNull();
  },
);

test("a word that is typed twice counts once", () => {
  const { clauses = [] } = parseQuery("cat dog cat mouse dog cat", { language: "english" }) ?? {};
  expect(clauses.map(({ text }) => text)).toEqual(["cat", "dog", "mouse"]);
});

test.each([
  ["loom", [false]],
  ["how to grow a loom", [true, true, false, true, false]],
  ["the who", [false, false]],
  ["don't loom", [true, false]],
  ["at&t loom", [false, false]],
  ["wie baut man das", [true, false, true, true]],
  ["was ist ein Zeiger", [true, true, true, false]],
  ["dos attack", [false, false]],
  ["a dos attack", [true, false, false]],
  ["C or D", [false, true, false]],
  ['"the who" loom', [false, false]],
])("the stop words of %s are %j", (q, isStopWord) => {
  const wanted = parseQuery(q, { language: "english" })?.clauses;
  expect(wanted?.map((each) => each.isStopWord)).toEqual(isStopWord);
});

test("any text is a query, of 64 words at most, in which every lexeme is quoted", () => {
  expect(english("a1 b2 ".repeat(100_000))?.exact).toBeUndefined();
  expect(english(Array.from({ length: 300 }, (_, n) => `w${n}`).join(" "))?.loose.split(" & ")).toHaveLength(
    64,
  );
  expect(english(`"${"中".repeat(500)}"`)?.exact?.match(/中中/g)).toHaveLength(63);
  expect(english("a.".repeat(500))?.exact?.match(/<1>/g)).toHaveLength(63);
  const lexeme = String.raw`'[.=]?[\p{L}\p{N}\p{M}.]+(?:\+\+|#)?[\p{L}\p{N}\p{M}.+#]*'(?::\*)?`;
  const outside = /^(?:[()|&!\s]|<\d+>)*$/;
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (q) => {
      const query = english(q);
      if (query === null) return;
      for (const text of [query.loose, query.exact ?? ""]) {
        expect(text.replaceAll(new RegExp(lexeme, "gu"), "")).toMatch(outside);
      }
    }),
    { numRuns: cases(2000, 300) },
  );
});
