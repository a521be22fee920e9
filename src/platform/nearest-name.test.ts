import { describe, expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

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
