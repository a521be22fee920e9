import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../test/long.ts";
import { parseQuery } from "./query.ts";

const simple = (q: string) => parseQuery(q, { language: "simple" });
const english = (q: string) => parseQuery(q, { language: "english" });

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
    ['"duck"', "'duck'"],
  ])("%s is %s", (q, loose) => {
    expect(simple(q)).toMatchObject({ loose, exact: undefined });
  });

  test.each([
    ["running x", "('running' | '=run' | 'run') & 'x'"],
    ["run x", "('run' | '=run') & 'x'"],
    ["running", "('running' | 'running':* | '=run' | 'run')"],
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
    ["火焰图 go", "('火焰' & '焰图') & ('go' | 'go':*)", "('火焰' <1> '焰图') & ('go' | 'go':*)"],
    ["哈哈哈 x", "'哈哈' & 'x'", "('哈哈' <1> '哈哈') & 'x'"],
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
      { word: "warp", matches: "'warp'" },
      { word: "weft", matches: "('weft' | 'weft':*)" },
    ]);
  });

  test("of a version occur where it is written in other words", () => {
    expect(simple("go1.22 x")?.words).toEqual([
      { word: "go1", matches: "('go1' | 'go1.22' | ('go' <1> '1' <1> '22'))" },
      { word: "x", matches: "'x'" },
    ]);
  });

  test("of a compound occur where it occurs as one word", () => {
    expect(simple("e-mail x")?.words).toEqual([
      { word: "e", matches: "('e' | 'email')" },
      { word: "mail", matches: "('mail' | 'email')" },
      { word: "x", matches: "'x'" },
    ]);
  });
});

describe("replacements", () => {
  const replacements = new Map([
    ["kubernets", ["kubernetes", "kubernets2"]],
    ["nod", ["node"]],
    ["none", []],
  ]);
  test.each([
    ["Kubernets", "('kubernetes' | 'kubernets2')"],
    ['x "kubernets"', "'x' & 'kubernets'"],
    ["x -kubernets", "'x' & !'kubernets'"],
    ["none x", "'none' & 'x'"],
    ["nod.js x", "('nodjs' | ('node' & 'js')) & 'x'"],
  ])("%s becomes %s", (q, loose) => {
    expect(parseQuery(q, { language: "simple", replacements })?.loose).toBe(loose);
  });

  test("are inflected too", () => {
    const query = parseQuery("runing", {
      language: "english",
      replacements: new Map([["runing", ["running"]]]),
    });
    expect(query).toMatchObject({ loose: "('running' | '=run' | 'run')", words: [{ word: "runing" }] });
  });
});

test("any and anyWhole have every wanted lexeme once, with and without beginnings, and none that is excluded", () => {
  const query = english('running "red wool" -blue go');
  expect(query?.any.query).toBe("'running' | '=run' | 'run' | 'red' | 'wool' | 'go':*");
  expect(query?.anyWhole.query).toBe("'running' | '=run' | 'run' | 'red' | 'wool' | 'go'");
  expect(english("火")).toMatchObject({ any: { query: "'火':*" }, anyWhole: { query: "'火':*" } });
});

test.each([
  ["loom", "('loom' | 'loom':* | '=loom')"],
  ["-wool loom", "('loom' | 'loom':* | '=loom') & !('wool' | '=wool')"],
  ['-"red wool" loom', "('loom' | 'loom':* | '=loom')"],
  ["-wool 火", "'火':* & !('wool' | '=wool')"],
  ["red -wool loom", "('red' | '=red') & ('loom' | 'loom':* | '=loom') & !('wool' | '=wool')"],
  ["red loom -wool", "('red' | '=red') & ('loom' | '=loom') & !('wool' | '=wool')"],
  ['"red loom"', "('red' & 'loom')"],
  ["loom c", "('loom' | '=loom') & 'c'"],
])("the index looks %s up as %s", (q, loose) => {
  expect(english(q)).toMatchObject({ loose });
});

test.each(["-wool loom", "red -wool loom", "-wool -felt red loom"])(
  "excluded words leave nothing to look up in rows: %s",
  (q) => {
    expect(english(q)).toMatchObject({ exact: undefined, isExcluding: true });
  },
);

test.each([
  ["loom", 1],
  ["warp warp weft", 2],
  ['"red wool" node.js -blue 火焰图', 3],
])("the number of wanted conditions of %s is %i", (q, size) => {
  expect(simple(q)?.size).toBe(size);
});

describe("what is wanted side by side", () => {
  test.each([
    ["loom", undefined],
    ["loom -red", undefined],
    ["red loom", "('red' <1> ('loom' | 'loom':*))"],
    ["red loom -blue", "('red' <1> 'loom')"],
    ['warp "red loom"', "('warp' <1> 'red' <1> 'loom')"],
    ["loom 火焰", "('loom' <1> '火焰')"],
  ])("of %s is %s", (q, together) => {
    expect(simple(q)?.together).toBe(together);
  });

  test("are the first sixteen words, of which none goes on when more follow", () => {
    const words = Array.from({ length: 17 }, (_, at) => `word${at}`);
    const together = simple(words.join(" "))?.together;
    expect(together).toBe(
      `(${words
        .slice(0, 16)
        .map((word) => `'${word}'`)
        .join(" <1> ")})`,
    );
    expect(simple(words.slice(0, 16).join(" "))?.together).toMatch(/'word15':\*/);
  });
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
      for (const text of [query.loose, query.exact ?? "", query.any.query]) {
        expect(text.replaceAll(new RegExp(lexeme, "gu"), "")).toMatch(outside);
      }
    }),
    { numRuns: cases(2000, 300) },
  );
});
