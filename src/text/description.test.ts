import { expect, test } from "vitest";
import { describe } from "./description.ts";

test("a short text is the description, on one line", () => {
  expect(describe("  Warp\n and\tweft. ", "Ada")).toBe("Warp and weft.");
});

test("an empty body is described by its author", () => {
  expect(describe(" \n ", "Ada Lovelace")).toBe("A post by Ada Lovelace");
});

test("a text of 104 characters stays whole", () => {
  const text = "x".repeat(104);
  expect(describe(text, "Ada")).toBe(text);
});

test("a longer text is cut at a word boundary", () => {
  const description = describe("weaving ".repeat(50), "Ada");
  expect(description).toBe(`${"weaving ".repeat(12).trimEnd()}...`);
});

test("a word that ends where the cut is stays", () => {
  const words = `${"x".repeat(98)} yy zzzz`;
  expect(describe(words, "Ada")).toBe(`${"x".repeat(98)} yy...`);
});

test("a text without spaces is cut where it must be, between characters", () => {
  expect(describe("中".repeat(200), "Ada")).toBe(`${"中".repeat(101)}...`);
  expect(describe("🎉".repeat(200), "Ada")).toBe(`${"🎉".repeat(101)}...`);
});
