import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { titleKey } from "./tokens.ts";
import { bodyTerms, type Head, headTerms, searchVersion } from "./vector.ts";

const HEAD = { title: "", tags: [], names: [], description: "" };
const headOf = (head: Partial<Head>, marks?: string[]) =>
  headTerms({ ...HEAD, ...head }, "english", marks).vector;
const bodyOf = (body: string) => bodyTerms(body, "english").vector;

describe("the vectors of an article", () => {
  test("weigh the fields, with a gap between them", () => {
    const head = { title: "Warp and warp", tags: ["wool", "felt"], names: ["Ada"], description: "loom" };
    expect(headOf(head)).toBe("'warp':1A,3A 'and':2A 'wool':14B 'felt':25B 'ada':36B 'loom':47C");
    expect(bodyOf("Warp weft")).toBe("'warp':11D 'weft':12D");
  });

  test("are empty for an empty article", () => {
    expect([headOf({}), bodyOf("")]).toEqual(["", ""]);
  });

  test("keep 256 positions of a word, and none that PostgreSQL cannot tell apart", () => {
    const all = bodyOf(`${"again ".repeat(20_000)}last`);
    expect(all.split(" ")[0]?.split(",")).toHaveLength(256);
    expect(all.endsWith(" 'last'")).toBe(true);
  });

  test("stay within PostgreSQL's size together, leaving out the end of a text", () => {
    const distinct = Array.from({ length: 200_000 }, (_, number) => `w${number.toString(36)}`).join(" ");
    const [head, body] = [headOf({ title: "Loom", description: distinct }), bodyOf(distinct)];
    expect(Buffer.byteLength(head) + Buffer.byteLength(body)).toBeLessThan(1_048_575);
    expect(head).toContain("'loom':1A");
    for (const vector of [head, body]) {
      expect(vector).toContain("'w0':");
      expect(vector).not.toContain(`'w${(199_999).toString(36)}'`);
    }
  });

  test("weigh forms that are not written as the next field", () => {
    expect(headOf({ title: "Looms", tags: ["felts"], description: "dyes" })).toBe(
      "'looms':1A '=loom':1B 'felts':12B '=felt':12C 'dyes':23C '=dye':23D",
    );
    expect(bodyOf("weavings")).toBe("'weavings':11D '=weav':11D");
    expect(headOf({ title: "Node.js .NET" })).toBe(
      "'node':1A 'js':2A '.js':2A 'nodejs':1A '=nodej':1B 'net':3A '.net':3A",
    );
  });

  test("have marks without positions at the end of the head, even beside the largest description", () => {
    const marks = ["~t12", "~it's"];
    expect(headOf({ title: "a" }, marks)).toBe("'a':1A '~t12' '~it''s'");
    const description = Array.from({ length: 200_000 }, (_, number) => `w${number.toString(36)}`).join(" ");
    expect(headOf({ description }, marks).endsWith(" '~t12' '~it''s'")).toBe(true);
  });
});

describe("titleKey", () => {
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
