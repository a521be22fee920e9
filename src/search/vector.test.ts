import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../test/long.ts";
import { titleKey } from "./tokens.ts";
import { searchVersion, tokensOf, toTsvector } from "./vector.ts";

const ARTICLE = { title: "", tags: [], names: [], description: "", body: "" };

describe("toTsvector", () => {
  test("weighs the fields and keeps the body out of the head", () => {
    const article = {
      title: "Warp and warp",
      tags: ["wool", "felt"],
      names: ["Ada"],
      description: "Looms",
      body: "Warp weft",
    };
    const vector = toTsvector(tokensOf(article, "simple"));
    expect(vector.head).toBe("'warp':1A,3A 'and':2A 'wool':14B 'felt':25B 'ada':36B 'looms':47C");
    expect(vector.all).toBe(
      "'warp':1A,3A,58D 'and':2A 'wool':14B 'felt':25B 'ada':36B 'looms':47C 'weft':59D",
    );
  });

  test("an empty article has empty vectors", () => {
    expect(toTsvector(tokensOf(ARTICLE, "english"))).toEqual({ head: "", all: "" });
  });

  test("keeps 256 positions of a word, and none that PostgreSQL cannot tell apart", () => {
    const { all } = toTsvector(tokensOf({ ...ARTICLE, body: `${"again ".repeat(20_000)}last` }, "simple"));
    expect(all.split(" ")[0]?.split(",")).toHaveLength(256);
    expect(all.endsWith(" 'last'")).toBe(true);
  });

  test("stays within PostgreSQL's size, leaving out the end of the body", () => {
    const distinct = Array.from({ length: 200_000 }, (_, number) => `w${number.toString(36)}`).join(" ");
    const { all } = toTsvector(tokensOf({ ...ARTICLE, title: "Loom", body: distinct }, "english"));
    expect(Buffer.byteLength(all)).toBeLessThan(1_048_575);
    expect(all).toContain("'loom':1A");
    expect(all).toContain("'w0':");
    expect(all).not.toContain(`'w${(199_999).toString(36)}'`);
  });

  test("weighs what is not written as the next field", () => {
    const texts = { title: "Looms", tags: ["felts"], names: [], description: "dyes", body: "weavings" };
    expect(toTsvector(tokensOf(texts, "english")).all).toBe(
      "'looms':1A '=loom':1B 'felts':12B '=felt':12C 'dyes':23C '=dye':23D 'weavings':34D '=weav':34D",
    );
    expect(toTsvector(tokensOf({ ...ARTICLE, title: "Node.js .NET" }, "simple")).all).toBe(
      "'node':1A 'js':2A '.js':2A 'nodejs':1A 'net':3A '.net':3A",
    );
  });

  test("puts marks into both vectors, without positions, even beside the largest body", () => {
    const article = { ...ARTICLE, title: "a" };
    const marks = ["~t12", "~it's"];
    expect(toTsvector(tokensOf(article, "english"), marks)).toEqual({
      head: "'a':1A '~t12' '~it''s'",
      all: "'a':1A '~t12' '~it''s'",
    });
    const body = Array.from({ length: 200_000 }, (_, number) => `w${number.toString(36)}`).join(" ");
    const { all } = toTsvector(tokensOf({ ...article, body }, "english"), marks);
    expect(all.endsWith(" '~t12' '~it''s'")).toBe(true);
  });
});

describe("titleKey", () => {
  test.each([
    ["Does 18F pass?", "does 18f  PASS"],
    ["Node.js: a guide", "node JS — A guide!"],
    ["Crème brûlée", "creme brulee"],
    ["火焰图 Go", "火焰图go"],
    ["🎉  🎉", " 🎉 🎉 "],
    ["Don’t", "don't"],
  ])("is the same for %j and %j", (one, other) => {
    expect(titleKey(one)).toBe(titleKey(other));
  });

  test.each([
    ["C++", "C"],
    ["C#", "C++"],
    ["running", "run"],
    ["火焰", "火焰图"],
    ["🎉", "!"],
    ["nodejs", "node.js"],
  ])("is not the same for %j and %j", (one, other) => {
    expect(titleKey(one)).not.toBe(titleKey(other));
  });

  test("has at most 400 bytes and ends at a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (title) => {
        const key = titleKey(title);
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(400);
        expect(Buffer.from(key).toString()).toBe(key);
      }),
      { numRuns: cases(500, 100) },
    );
    expect(titleKey("ж ".repeat(300))).toBe("ж ".repeat(133).trimEnd());
  });
});

test("the version of search rows tells the languages apart and fits a smallint", () => {
  expect(searchVersion("english")).not.toBe(searchVersion("simple"));
  expect(searchVersion("english")).toBeLessThan(32_768);
});
