import { expect, test } from "vitest";
import { progressLine } from "./output.ts";

test("progress tells records, rate and the time left", () => {
  const progress = { records: 12_000, bytes: 30_000 };
  expect(progressLine(progress, { seconds: 4, size: 120_000 })).toBe(
    "12,000 records, 3,000 per second, 25 %, 12 s left",
  );
  expect(progressLine(progress, { seconds: 4, size: 30_000_000 })).toBe(
    "12,000 records, 3,000 per second, 0 %, 67 min left",
  );
});

test("progress of a stream has no end to tell of", () => {
  expect(progressLine({ records: 10, bytes: 100 }, { seconds: 2, size: undefined })).toBe(
    "10 records, 5 per second",
  );
});
