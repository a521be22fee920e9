import { expect, test } from "vitest";
import { paddedDate, readableDate } from "./dates.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

test("a date of this year is shown without the year, the day without padding", () => {
  expect(readableDate(new Date("2026-03-02T09:15:00Z"), NOW)).toBe("Mar 2");
});

test("a date of another year shows two digits of it", () => {
  expect(readableDate(new Date("2024-12-31T23:59:59Z"), NOW)).toBe("Dec 31 '24");
  expect(readableDate(new Date("2005-01-01T00:00:00Z"), NOW)).toBe("Jan 1 '05");
});

test("the year turns in UTC", () => {
  expect(readableDate(new Date("2025-12-31T23:30:00-01:00"), NOW)).toBe("Jan 1");
});

test("a padded date has its day in two columns", () => {
  expect(paddedDate(new Date("2025-01-03T12:00:00Z"))).toBe("Jan  3, 2025");
  expect(paddedDate(new Date("2024-12-31T23:59:59Z"))).toBe("Dec 31, 2024");
});
