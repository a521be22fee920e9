import { describe, expect, test } from "vitest";
import { pageAddress, spellingsOf, withoutTracking } from "./fingerprints.ts";

describe("addresses", () => {
  test.each([
    "https://blog.example/a",
    "http://blog.example/a",
    "https://www.blog.example/a/",
    "HTTPS://BLOG.example:443/a/index.html",
    "https://blog.example./a?fbclid=1&utm_medium=x",
    "https://blog.example/a/?ref=rss-feed#xtor=RSS-1",
  ])("of one page are one: %s", (address) => {
    expect(pageAddress(address)).toBe("blog.example/a");
  });

  test.each([
    ["https://blog.example:8080/a", "blog.example:8080/a"],
    ["https://blog.example/a?b=2&a=1", "blog.example/a?a=1&b=2"],
    ["https://blog.example/A", "blog.example/A"],
    ["https://blog.example/a?ref=main", "blog.example/a?ref=main"],
    ["https://blog.example/a#b", "blog.example/a#b"],
    ["tag:blog.example,2026:1", undefined],
    ["https://", undefined],
    ["", undefined],
  ])("of others are others: %s", (address, page) => {
    expect(pageAddress(address)).toBe(page);
  });

  test("lose what counts readers, and nothing else", () => {
    expect(withoutTracking("https://a.example/?utm_source=x&a=%20b&gclid=1#c")).toBe(
      "https://a.example/?a=%20b#c",
    );
    expect(withoutTracking("https://a.example/?utm_source=x")).toBe("https://a.example/");
    expect(withoutTracking("https://a.example/?&&a")).toBe("https://a.example/?&&a");
  });

  test("are looked for by all their spellings", () => {
    expect(spellingsOf("https://www.a.example/b/?c=1")).toEqual(
      expect.arrayContaining([
        "http://a.example/b?c=1",
        "https://a.example/b/?c=1",
        "https://www.a.example/b?c=1",
      ]),
    );
    expect(spellingsOf("tag:a")).toEqual(["tag:a"]);
  });
});
