import { describe, expect, test } from "vitest";
import { editDistance, nearestName } from "./nearest-name.ts";

const distance = (from: string, to: string, limit = 10) =>
  editDistance(Array.from(from), Array.from(to), limit);

describe("the distance of two words", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["pizza", "pizza", 0],
    ["piza", "pizza", 1],
    ["pizzza", "pizza", 1],
    ["pizca", "pizza", 1],
    ["pziza", "pizza", 1],
    ["приевт", "привет", 1],
    ["kitten", "sitting", 3],
    ["ca", "abc", 3],
    ["🍕izza", "pizza", 1],
  ])("from %j to %j is %i", (from, to, expected) => {
    expect(distance(from, to)).toBe(expected);
  });

  test("is not counted beyond the limit", () => {
    expect(distance("kitten", "sitting", 3)).toBe(3);
    expect(distance("kitten", "sitting", 2)).toBe(Infinity);
    expect(distance("a", "abcd", 2)).toBe(Infinity);
  });
});

describe("the nearest name", () => {
  test.each([
    ["publised", "published"],
    ["publishd", "published"],
    ["bodyMarkdown", "body_markdown"],
    ["BODY-MARKDOWN", "body_markdown"],
    ["tag", "tags"],
    ["tgas", "tags"],
    ["publishedAt", "published_at"],
  ])("of %s is %s", (unknown, expected) => {
    expect(nearestName(unknown, ["q", "tags", "published", "published_at", "body_markdown"])).toBe(expected);
  });

  test.each(["", "x", "cb", "utm_source", "subtitle", "p".repeat(100_000)])("of %.20s is none", (unknown) => {
    expect(nearestName(unknown, ["q", "tags", "published", "body_markdown"])).toBeUndefined();
  });
});
