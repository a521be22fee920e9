import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/long.ts";
import { parseQuery, type WordQuery } from "./query.ts";
import { writeLoose, writeLooseExclusion } from "../../../test/searching.ts";
import { type Meant, writeExact } from "./terms.ts";

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
    ["ci", "'ci'"],
    ["x igf", "'x' & ('igf' | 'igf':*)"],
    ["the the c", "'the' & 'c'"],
    ["loom -wool", "'loom' & !'wool'"],
    ["--force", "('force' | 'force':*)"],
    ["loom - x", "'loom' & 'x'"],
    ["C++ -c#", "'c++' & !'c#'"],
    ["g++", "'g++'"],
    [".net", "('.net' | '.net':*)"],
    ["foo & | ! ( ) <-> :* ' \\ x", "'foo' & 'x'"],
    ["火 go", "'火':* & 'go'"],
    ["火", "'火':*"],
    ["中国", "('中国' | '中国':*)"],
    ["火焰图 go", "'火焰' & '焰图' & 'go'"],
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
    ["1.29", "('1.29' | ('1' & '29'))", "('1.29' | ('1' <1> '29'))"],
    [
      "1.295",
      "(('1.295' | '1.295':*) | ('1' & ('295' | '295':*)))",
      "(('1.295' | '1.295':*) | ('1' <1> ('295' | '295':*)))",
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
    expect(english("state-machines x")?.exact).toMatch(
      "(('statemachines' | '=statemachin' | 'statemachin') | " +
        "(('state' | '=state') <1> ('machines' | '=machin' | 'machin'))) & ",
    );
  });

  test.each([
    ["e-mail x", "('email' | ('e' <1> 'mail')) & ('mail' | 'email') & 'x'"],
    ["tcp/ip", "('tcpip' | ('tcp' <1> 'ip')) & ('tcp' | 'tcpip') & ('ip' | 'tcpip')"],
    ["igf-1 x", "('igf1' | ('igf' <1> '1')) & ('igf' | 'igf1') & 'x'"],
    ["EL/1", "('el1' | ('el' <1> '1')) & ('el' | 'el1')"],
    ["at&t", "('att' | ('at' <1> 't'))"],
    [
      "u128/i128",
      "(('u128i128' | 'u128i128':*) | ('u' <1> '128' <1> ('i128' | 'i128':*)) | ('u128' <1> ('i128' | 'i128':*)))",
    ],
    [
      "src/search/find.ts",
      "('srcsearchfindts' | ('src' <1> 'search' <1> 'find' <1> 'ts')) & ('src' | 'srcsearchfindts') & " +
        "('search' | 'srcsearchfindts') & ('find' | 'srcsearchfindts') & ('ts' | 'srcsearchfindts')",
    ],
    ["frozen--which x", "('frozenwhich' | ('frozen' <1> 'which')) & ('frozen' | 'frozenwhich') & 'x'"],
    [
      "ab.cd.ef.gh.ij.kl x",
      "('ab' <1> 'cd' <1> 'ef' <1> 'gh' <1> 'ij' <1> 'kl') & 'ab' & 'cd' & 'ef' & 'gh' & 'ij' & 'kl' & 'x'",
    ],
  ])("%s is a compound, and each of its words that tells something: %s", (q, all) => {
    expect(simple(q)).toMatchObject({ exact: all });
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
    const words = english('Warp "red" c++ .net 2024 火焰 weft -blue')?.words;
    expect(words).toEqual([
      { word: "warp", occurs: "'warp'" },
      { word: "weft", occurs: "'weft'" },
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
    const meant = { words: ["running", "ruin"], factor: 0.7, isInstead: true, apart: [] };
    expect(asWritten("runing x", meant)).toBe("('running' | '=run' | 'run' | 'ruin' | '=ruin') & 'x'");
  });

  test("stand beside a word", () => {
    const meant = { words: ["running"], factor: 0.4, isInstead: false, apart: [] };
    expect(asWritten("runing x", meant)).toBe(
      "('runing' | '=rune' | 'rune' | 'running' | '=run' | 'run') & 'x'",
    );
  });

  test("are two, side by side, that a word is written as", () => {
    const meant = { words: [], factor: 0.4, isInstead: false, apart: ["run", "ing"] };
    expect(asWritten("runing x", meant)).toBe(
      "(('runing' | '=rune' | 'rune') | (('run' | '=run') & ('ing' | '=ing'))) & 'x'",
    );
  });

  test.each(['"runing" x', "x -runing"])("are not asked for by %s", (q) => {
    const meant = { words: ["running"], factor: 0.7, isInstead: true, apart: [] };
    expect(asWritten(q, meant)).toBe(english(q)?.loose);
  });
});

test.each([
  ["loom", "('loom' | '=loom' | 'loom':*)"],
  ['-"red wool" loom', "('loom' | '=loom' | 'loom':*)"],
  ["c loom -wool", "'c' & ('loom' | '=loom') & !('wool' | '=wool')"],
  ['"red loom"', "('red' & 'loom')"],
  ["loom c", "('loom' | '=loom') & 'c'"],
])("the index looks %s up as %s", (q, loose) => {
  expect(english(q)).toMatchObject({ loose });
});

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
