import { describe, expect, test } from "vitest";
import { dash, derivedSlug, finalSlug, isValidSlug, randomChunk } from "./slug.ts";

describe("dash", () => {
  test.each([
    ["My First Loom", "my-first-loom"],
    ["  Does 18F pass?  ", "does-18f-pass"],
    ["Crème brûlée à la Straße", "creme-brulee-a-la-strasse"],
    ["Łódź, Århus & Þingvellir", "lodz-arhus-thingvellir"],
    ["Don’t panic, it's fine", "dont-panic-its-fine"],
    ["snake_case -- and --- dashes", "snake_case-and-dashes"],
    ["-- edges --", "edges"],
    ["Hello, 中国!", "hello"],
    ["火焰图", ""],
    ["!!!", ""],
    ["", ""],
  ])("makes %j %j", (title, expected) => {
    expect(dash(title)).toBe(expected);
  });

  test("cuts a long title at a dash before about 100 characters", () => {
    const dashed = dash("weaving ".repeat(40));
    expect(dashed).toBe("weaving-".repeat(12).slice(0, -1));
    expect(dash("x".repeat(500))).toHaveLength(100);
  });
});

test("a random chunk is a base-26 number below 100000", () => {
  for (let round = 0; round < 200; round++) {
    const chunk = randomChunk();
    expect(chunk).toMatch(/^[0-9a-p]+$/);
    expect(Number.parseInt(chunk, 26)).toBeLessThan(100_000);
  }
});

test("a final slug is the dashed title and a chunk, also for titles that no slug can spell", () => {
  expect(finalSlug("My first loom")).toMatch(/^my-first-loom-[0-9a-p]{1,4}$/);
  for (const title of ["火焰图", "", "2026", "search", "me"]) expect(finalSlug(title)).toSatisfy(isValidSlug);
  expect(finalSlug("火焰图").split("-")[1]).not.toBe(finalSlug("火焰图").split("-")[1]);
});

test("a derived slug depends on author, title and creation and on nothing else", () => {
  const content = { author: "ada", title: "My loom", createdAt: new Date("2026-03-02T09:15:00Z") };
  const slug = derivedSlug(content);
  expect(slug).toMatch(/^my-loom-[0-9a-p]{8}$/);
  expect(derivedSlug({ ...content })).toBe(slug);
  expect(derivedSlug({ ...content, author: "bob" })).not.toBe(slug);
  expect(derivedSlug({ ...content, createdAt: new Date(0) })).not.toBe(slug);
  expect(derivedSlug({ ...content, title: "火焰图" })).toMatch(/^article-[0-9a-p]{8}$/);
});

test.each([
  "",
  "12345",
  "me",
  "search",
  "latest",
  "by_path",
  "onboarding",
  "Caps",
  "a b",
  "a/b",
  "é",
  "x".repeat(256),
])("%j is no slug", (text) => {
  expect(isValidSlug(text)).toBe(false);
});

test.each(["a", "my-loom-4k2p", "2026-1", "_x_", "search-engines"])("%j is a slug", (text) => {
  expect(isValidSlug(text)).toBe(true);
});
