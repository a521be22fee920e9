import { expect, test } from "vitest";
import { parseFrontMatter } from "./front-matter.ts";

const attributesOf = (yaml: string) => parseFrontMatter(`---\n${yaml}\n---\nBody`).attributes;

test.each([
  ["2026-03-02", "2026-03-02T00:00:00.000Z"],
  ["2026-03-02 09:15", "2026-03-02T09:15:00.000Z"],
  ["'2026-03-02T09:15:30Z'", "2026-03-02T09:15:30.000Z"],
  ["2026-03-02T09:15:30.123456+02:00", "2026-03-02T07:15:30.123Z"],
  ["2026-03-02 09:15 -0530", "2026-03-02T14:45:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
])("reads %s", (text, expected) => {
  expect(attributesOf(`date: ${text}`).date).toEqual(new Date(expected));
  expect(attributesOf(`published_at: ${text}`).published_at?.toISOString()).toBe(expected);
});

test.each([
  ["2019-01-01 10:00:00 UTC", "2019-01-01T10:00:00.000Z"],
  ["2019-01-01 10:00:00 +0000 UTC", "2019-01-01T10:00:00.000Z"],
  ["2019-01-01 10:00:00.123456789 +0100 CET", "2019-01-01T09:00:00.123Z"],
  ["2018-01-05 9:15", "2018-01-05T09:15:00.000Z"],
  ["2018-1-5", "2018-01-05T00:00:00.000Z"],
  ["2018/01/05", "2018-01-05T00:00:00.000Z"],
  ["2018/01/05 10:00:00 -0800", "2018-01-05T18:00:00.000Z"],
  ["Mon, 01 Jan 2018 00:00:00 GMT", "2018-01-01T00:00:00.000Z"],
  ["Mon, 1 Jan 2018 10:30 +0100", "2018-01-01T09:30:00.000Z"],
  ["1 March 2018", "2018-03-01T00:00:00.000Z"],
])("reads the date %s that another program wrote; published_at is ours, and strict", (text, expected) => {
  expect(attributesOf(`date: ${text}`).date).toEqual(new Date(expected));
  expect(() => attributesOf(`published_at: ${text}`)).toThrow("published_at must be a date");
});

test.each([
  "2018-02-30",
  "2018-1-5 25:00",
  "31 Feb 2018",
  "1 Foo 2018",
  "2018-01-05 10:00 Mars",
  "tomorrow",
  "[2026]",
  '"a\\0b"',
])("forgives the date %s", (text) => {
  expect(attributesOf(`title: x\ndate: ${text}`).date).toBe("unreadable");
});

test.each([
  "2026-02-30",
  "2025-02-29",
  "2026-13-01",
  "2026-03-02 25:00",
  "2026-03-02T24:00:00Z",
  "March 2, 2026",
  "02.03.2026",
  "1772442900",
  "tomorrow",
  "2026-03-02T09:15+15:00",
  "[2026]",
])("refuses %s and says what is a date", (text) => {
  expect(() => attributesOf(`published_at: ${text}`)).toThrow(
    /^There was a problem .* published_at must be a /,
  );
});
