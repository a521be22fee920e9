import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../test/long.ts";
import { parseQuery, type WordQuery } from "./query.ts";
import { type Meant, writeExact, writeLoose, writeLooseExclusion } from "./terms.ts";

const simple = (q: string) => written(parseQuery(q, { language: "simple" }));
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

describe("what the index answers alone", () => {
  test.each([
    ["loom", "('loom' | 'loom':*)"],
    ["  Warp   WEFT ", "'warp' & ('weft' | 'weft':*)"],
    ["the the c", "'the' & 'c'"],
    ["loom -wool", "'loom' & !'wool'"],
    ["--force", "('force' | 'force':*)"],
    ["loom - wool", "'loom' & ('wool' | 'wool':*)"],
    ["C++ -c#", "'c++' & !'c#'"],
    ["g++", "'g++'"],
    [".net", "('.net' | '.net':*)"],
    ["foo & | ! ( ) <-> :* ' \\ bar", "'foo' & ('bar' | 'bar':*)"],
    ["火 go", "'火':* & ('go' | 'go':*)"],
    ["火", "'火':*"],
    ["中国", "('中国' | '中国':*)"],
    ["火焰图 go", "'火焰' & '焰图' & ('go' | 'go':*)"],
    ["哈哈哈 x", "'哈哈' & 'x'"],
    ['"duck"', "'duck'"],
  ])("%s is %s", (q, loose) => {
    expect(simple(q)).toMatchObject({ loose, exact: undefined });
  });

  test.each([
    ["running x", "('running' | '=run' | 'run') & 'x'"],
    ["run x", "('run' | '=run') & 'x'"],
    ["running", "('running' | '=run' | 'run' | 'running':*)"],
    ['"running"', "'running'"],
    ["x -running", "'x' & !('running' | '=run' | 'run')"],
    ["x -c", "'x' & !'c'"],
  ])("%s is %s in English", (q, loose) => {
    expect(english(q)).toMatchObject({ loose, exact: undefined });
  });
});

describe("what needs positions", () => {
  test.each([
    ['"rubber duck"', "('rubber' & 'duck')", "('rubber' <1> 'duck')"],
    ["“rubber duck” x", "('rubber' & 'duck') & 'x'", "('rubber' <1> 'duck') & 'x'"],
    ['"use node.js" x', "('use' & 'node' & 'js') & 'x'", "('use' <1> 'node' <1> 'js') & 'x'"],
    ["e-mail x", "('email' | ('e' & 'mail')) & 'x'", "('email' | ('e' <1> 'mail')) & 'x'"],
    [
      "1.29",
      "(('1.29' | '1.29':*) | ('1' & ('29' | '29':*)))",
      "(('1.29' | '1.29':*) | ('1' <1> ('29' | '29':*)))",
    ],
    [
      "v1.29 x",
      "('v1.29' | '1.29' | ('1' & '29') | ('v1' & '29')) & 'x'",
      "('v1.29' | '1.29' | ('1' <1> '29') | ('v1' <1> '29')) & 'x'",
    ],
    [
      "go1.22 x",
      "('go1.22' | ('go' & '1' & '22') | ('go1' & '22')) & 'x'",
      "('go1.22' | ('go' <1> '1' <1> '22') | ('go1' <1> '22')) & 'x'",
    ],
    ["vue20", "(('vue20' | 'vue20':*) | ('vue' & '20'))", "(('vue20' | 'vue20':*) | ('vue' <1> '20'))"],
    ["vue3 x", "('vue3' | ('vue' & '3')) & 'x'", "('vue3' | ('vue' <1> '3')) & 'x'"],
    ['"火焰图 go"', "('火焰' & '焰图' & 'go')", "('火焰' <1> '焰图' <2> 'go')"],
  ])("%s is %s and exactly %s", (q, loose, exact) => {
    expect(simple(q)).toMatchObject({ loose, exact });
  });

  test.each([
    ['x -"red wool"', "'x'", "'x' & !('red' <1> 'wool')"],
    ["x -red-wool", "'x' & !'redwool'", "'x' & !('redwool' | ('red' <1> 'wool'))"],
    ["x -a,b", "'x'", "'x' & !('a' <1> 'b')"],
    ["x -vue3", "'x' & !'vue3'", "'x' & !('vue3' | ('vue' <1> '3'))"],
  ])("an excluded phrase excludes nothing from the index: %s is %s and exactly %s", (q, loose, exact) => {
    expect(simple(q)).toMatchObject({ loose, exact });
  });

  test("parts of a compound may be inflected", () => {
    expect(english("state-machines x")?.exact).toBe(
      "(('statemachines' | '=statemachin' | 'statemachin') | " +
        "(('state' | '=state') <1> ('machines' | '=machin' | 'machin'))) & 'x'",
    );
  });

  test("an address is looked for without its scheme", () => {
    expect(simple("https://example.com/a x")).toEqual(simple("example.com/a x"));
  });
});

test.each(["", "   ", "-loom", '-"red wool" -felt', "!!! ???", '"', '""', "-", "🎉", "\0", "\ud800", "__"])(
  "%j looks for nothing",
  (q) => {
    expect(english(q)).toBeNull();
  },
);

describe("the words of a query", () => {
  test("are those that may be misspelt: unquoted, wanted, with letters and without signs, each without its stem", () => {
    const words = english('Warp "red" -blue c++ .net 2024 火焰 weft')?.words;
    expect(words).toEqual([
      { word: "warp", occurs: "'warp'" },
      { word: "weft", occurs: "('weft' | 'weft':*)" },
    ]);
  });

  test("of a version occur where it is written in other words", () => {
    expect(simple("go1.22 x")?.words).toEqual([
      { word: "go1", occurs: "('go1' | 'go1.22' | ('go' <1> '1' <1> '22'))" },
      { word: "x", occurs: "'x'" },
    ]);
  });

  test("of a compound occur where it occurs as one word", () => {
    expect(simple("e-mail x")?.words).toEqual([
      { word: "e", occurs: "('e' | 'email')" },
      { word: "mail", occurs: "('mail' | 'email')" },
      { word: "x", occurs: "'x'" },
    ]);
  });
});

describe("words that may be meant", () => {
  const asWritten = (q: string, meant: Meant) =>
    written(parseQuery(q, { language: "english", meant: new Map([["runing", meant]]) }))?.loose;

  test("stand instead of a word, in all inflections", () => {
    const meant = { words: ["running", "ruin"], factor: 0.7, isInstead: true };
    expect(asWritten("runing x", meant)).toBe("('running' | '=run' | 'run' | 'ruin' | '=ruin') & 'x'");
  });

  test("stand beside a word", () => {
    const meant = { words: ["running"], factor: 0.4, isInstead: false };
    expect(asWritten("runing x", meant)).toBe(
      "('runing' | '=rune' | 'rune' | 'running' | '=run' | 'run') & 'x'",
    );
  });

  test.each(['"runing" x', "x -runing"])("are not asked for by %s", (q) => {
    const meant = { words: ["running"], factor: 0.7, isInstead: true };
    expect(asWritten(q, meant)).toBe(english(q)?.loose);
  });
});

test.each([
  ["loom", "('loom' | '=loom' | 'loom':*)"],
  ["-wool loom", "('loom' | '=loom' | 'loom':*) & !('wool' | '=wool')"],
  ['-"red wool" loom', "('loom' | '=loom' | 'loom':*)"],
  ["-wool 火", "'火':* & !('wool' | '=wool')"],
  ["red -wool loom", "('red' | '=red') & ('loom' | '=loom' | 'loom':*) & !('wool' | '=wool')"],
  ["red loom -wool", "('red' | '=red') & ('loom' | '=loom') & !('wool' | '=wool')"],
  ['"red loom"', "('red' & 'loom')"],
  ["loom c", "('loom' | '=loom') & 'c'"],
])("the index looks %s up as %s", (q, loose) => {
  expect(english(q)).toMatchObject({ loose });
});

test.each([
  ["loom", [false]],
  ["how to grow a loom", [true, true, false, true, false]],
  ["the who", [false, false]],
  ["don't loom", [true, false]],
  ["wie baut man das", [true, false, true, true]],
  ['"the who" loom', [false, false]],
])("the stop words of %s are %j", (q, isStopWord) => {
  const wanted = parseQuery(q, { language: "english" })?.clauses;
  expect(wanted?.map((each) => each.isStopWord)).toEqual(isStopWord);
});

test("any text is a query, of a hundred words at most, in which every lexeme is quoted", () => {
  expect(english("a1 b2 ".repeat(100_000))?.exact).toBeUndefined();
  expect(english(Array.from({ length: 300 }, (_, n) => `w${n}`).join(" "))?.loose.split(" & ")).toHaveLength(
    100,
  );
  expect(english(`"${"中".repeat(500)}"`)?.exact?.match(/中中/g)).toHaveLength(99);
  expect(english("a.".repeat(500))?.exact?.match(/<1>/g)).toHaveLength(99);
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
