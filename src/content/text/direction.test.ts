import { expect, test } from "vitest";
import { directionOf } from "./direction.ts";

test.each([
  ["بري القلم", "rtl"],
  ["3 × «שלום» world", "rtl"],
  ["𞤀𞤁𞤂𞤢", "rtl"],
  ["Ink is حبر", undefined],
  ["墨", undefined],
  ["1, 2, 3", undefined],
  ["", undefined],
])("the direction of “%s” is %s", (text, expected) => {
  expect(directionOf(text)).toBe(expected);
});
