import { describe, expect, test } from "vitest";
import { nextAttempt, readRetryAfter } from "./attempt.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const MINUTE = 60;
const HOUR = 3_600;

/** How many seconds an attempt is away from the one before it. */
function pauseAfter(attempts: number, random: number, retryAfterMs?: number): number | undefined {
  const next = nextAttempt({ attempts, retryAfterMs, now: NOW, random: () => random });
  return next ? (next.getTime() - NOW.getTime()) / 1_000 : undefined;
}

describe("attempts", () => {
  test("are made ten times in about three days, a fifth sooner or later", () => {
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, 0.5));
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR);
    expect(pauses).toEqual([5, 5 * MINUTE, 30 * MINUTE, ...hours, undefined]);
    expect([pauseAfter(2, 0), pauseAfter(2, 1)]).toEqual([4 * MINUTE, 6 * MINUTE]);
  });

  test("are no sooner than the receiver asks, but for a day, and no more often", () => {
    expect(pauseAfter(1, 0.5, 90_000)).toBe(90);
    expect(pauseAfter(3, 0.5, 90_000)).toBe(30 * MINUTE);
    expect(pauseAfter(1, 0.5, 48 * HOUR * 1_000)).toBe(24 * HOUR);
    expect(pauseAfter(10, 0.5, 90_000)).toBeUndefined();
  });
});

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Tue, 31 Mar 2026 12:02:00 GMT", 120_000],
  ["Tuesday, 31-Mar-26 12:02:00 GMT", 120_000],
  ["Tue, 31 Mar 2026 11:00:00 GMT", 0],
  ["99999999999999", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["2026", 2_026_000],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %j is %j milliseconds", (text, expected) => {
  expect(readRetryAfter(text, NOW)).toBe(expected);
});
