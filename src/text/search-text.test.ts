import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTsquery, toTsvector, tokens } from "./search-text.ts";

const ARTICLE = { title: "", tags: [], names: [], description: "", body: "" };
const wordsOf = (text: string) => tokens(text).map(({ token }) => token);

describe("tokens", () => {
  test.each([
    ["Don't stop, café!", ["don", "t", "stop", "cafe"]],
    ["_emphasis_ __init__ snake_case ___", ["emphasis", "init", "snake_case"]],
    ["c++ node.js v1.29", ["c", "node", "js", "v1", "29"]],
    ["火焰图", ["火焰", "焰图", "图"]],
    ["图", ["图"]],
    ["Hello中国2024年", ["hello", "中国", "国", "2024", "年"]],
    ["ノンブロック", ["ノン", "ンブ", "ブロ", "ロッ", "ック", "ク"]],
    ["도커라", ["도커", "커라", "라"]],
    ["กินข้าว", ["กิน", "นข้", "ข้า", "าว", "ว"]],
    ["हिन्दी", ["हिन्दी"]],
    ["🎉 — ... \u0301", []],
  ])("of %j are %j", (text, expected) => {
    expect(wordsOf(text)).toEqual(expected);
  });

  test("count their positions from 1", () => {
    expect(tokens("a 中国 b")).toEqual([
      { token: "a", position: 1 },
      { token: "中国", position: 2 },
      { token: "国", position: 3 },
      { token: "b", position: 4 },
    ]);
  });

  test("are cut at 200 bytes, between characters", () => {
    expect(wordsOf("x".repeat(5000))).toEqual(["x".repeat(200)]);
    expect(wordsOf("ж".repeat(5000))).toEqual(["ж".repeat(100)]);
    expect(wordsOf(`ก${"\u0e48".repeat(500)}ก`).every((token) => Buffer.byteLength(token) <= 200)).toBe(true);
  });
});

describe("toTsvector", () => {
  test("weighs the fields and keeps the body out of the head", () => {
    const vector = toTsvector({
      title: "Warp and warp",
      tags: ["wool", "felt"],
      names: ["Ada"],
      description: "Looms",
      body: "Warp weft",
    });
    expect(vector.head).toBe("'warp':1A,3A 'and':2A 'wool':14B 'felt':25B 'ada':36B 'looms':47C");
    expect(vector.all).toBe(
      "'warp':1A,3A,58D 'and':2A 'wool':14B 'felt':25B 'ada':36B 'looms':47C 'weft':59D",
    );
  });

  test("an empty article has empty vectors", () => {
    expect(toTsvector(ARTICLE)).toEqual({ head: "", all: "" });
  });

  test("keeps 256 positions of a word, and none that PostgreSQL cannot tell apart", () => {
    const { all } = toTsvector({ ...ARTICLE, body: `${"again ".repeat(20_000)}last` });
    expect(all.split(" ")[0]?.split(",")).toHaveLength(256);
    expect(all.endsWith(" 'last'")).toBe(true);
  });

  test("stays within PostgreSQL's size, leaving out the end of the body", () => {
    const distinct = Array.from({ length: 200_000 }, (_, number) => `w${number.toString(36)}`).join(" ");
    const { all } = toTsvector({ ...ARTICLE, title: "Loom", body: distinct });
    expect(Buffer.byteLength(all)).toBeLessThan(1_048_575);
    expect(all).toContain("'loom':1A");
    expect(all).toContain("'w0':");
    expect(all).not.toContain(`'w${(199_999).toString(36)}'`);
  });
});

describe("toTsquery", () => {
  test.each([
    ["loom", "'loom':*"],
    ["  Warp   WEFT ", "'warp' & 'weft':*"],
    ["loom loom", "'loom' & 'loom':*"],
    ["the the the", "'the' & 'the':*"],
    ['"rubber duck"', "('rubber' <1> 'duck')"],
    ['"rubber duck" debug', "('rubber' <1> 'duck') & 'debug':*"],
    ["“rubber duck”", "('rubber' <1> 'duck')"],
    ['say "rubber du', "'say' & 'rubber' & 'du':*"],
    ["loom -wool", "'loom' & !('wool')"],
    ['loom -"red wool" felt', "'loom' & !('red' <1> 'wool') & 'felt':*"],
    ["CVE-2015-8027", "'cve' & '2015' & '8027':*"],
    ["loom -red-wool", "'loom' & !('red' <1> 'wool')"],
    ["--force", "'force':*"],
    ["loom - wool", "'loom' & 'wool':*"],
    ["C++ -c#", "'c' & !('c')"],
    ["u128/i128 layout?", "'u128' & 'i128' & 'layout':*"],
    ["foo & | ! ( ) <-> :* ' \\ bar", "'foo' & 'bar':*"],
    ["火焰图", "('火焰' <-> '焰图':*)"],
    ["火焰图 go", "('火焰' <-> '焰图') & 'go':*"],
    ["火 go", "'火':* & 'go':*"],
    ['"火焰图 go"', "('火焰' <1> '焰图' <2> 'go')"],
    ["中国", "'中国':*"],
  ])("%s looks for %s", (q, expected) => {
    expect(toTsquery(q)).toBe(expected);
  });

  test.each(["", "   ", "-loom", '-"red wool" -felt', "!!! ???", '"', '""', "-", "🎉", "\0", "\ud800"])(
    "%j looks for nothing",
    (q) => {
      expect(toTsquery(q)).toBeNull();
    },
  );

  test("takes any text, however long, and says no more than PostgreSQL can read", () => {
    expect(toTsquery("a ".repeat(100_000))?.length).toBeLessThan(5000);
    expect(toTsquery("\ufdfa".repeat(1000))?.split(" & ").length).toBeLessThanOrEqual(100);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (q) => {
        const query = toTsquery(q);
        if (query === null) return;
        const lexeme = String.raw`'[\p{L}\p{N}\p{M}_]+'(?::\*)?`;
        const phrase = String.raw`\(?${lexeme}(?: <(?:-|\d+)> ${lexeme})*\)?`;
        expect(query).toMatch(new RegExp(`^!?${phrase}(?: & !?${phrase})*$`, "u"));
      }),
      { numRuns: 2000 },
    );
  });
});
