import { expect, test } from "vitest";
import { readingMinutes } from "./reading-time.ts";

test("an empty body, or one without words, takes no time", () => {
  expect(readingMinutes("")).toBe(0);
  expect(readingMinutes(" \n*** ... 🎉\n")).toBe(0);
});

test("275 words take a minute and the next begins another", () => {
  expect(readingMinutes("word")).toBe(1);
  expect(readingMinutes("word, ".repeat(275))).toBe(1);
  expect(readingMinutes("word ".repeat(276))).toBe(2);
});

test("accented, Cyrillic, Arabic and Hindi words count one each", () => {
  expect(readingMinutes("cafe\u0301 ".repeat(275))).toBe(1);
  expect(readingMinutes("привет ".repeat(275))).toBe(1);
  expect(readingMinutes("مَرْحَبًا ".repeat(275))).toBe(1);
  expect(readingMinutes("हिन्दी ".repeat(275))).toBe(1);
});

test("scripts without spaces are counted by characters", () => {
  expect(readingMinutes("中".repeat(550))).toBe(1);
  expect(readingMinutes("中".repeat(551))).toBe(2);
  expect(readingMinutes("สวัสดี".repeat(1000))).toBe(5);
});

test("words among ideographs count too", () => {
  expect(readingMinutes("中文word".repeat(275))).toBe(2);
});
