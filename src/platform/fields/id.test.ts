import { describe, expect, test } from "vitest";
import { readId } from "./fields.ts";

describe("the number of something", () => {
  test.each([
    [3, 3],
    ["3", 3],
    [2_147_483_647, 2_147_483_647],
    ["2147483647", 2_147_483_647],
  ])("is %j read as %i", (value, id) => {
    expect(readId(value)).toBe(id);
  });

  test.each([undefined, null, ""])("isn't given by %j", (value) => {
    expect(readId(value)).toBeUndefined();
  });

  test.each([
    0,
    -1,
    1.5,
    NaN,
    Infinity,
    2_147_483_648,
    "2147483648",
    "0",
    "03",
    "+3",
    " 3",
    "3.0",
    "abc",
    true,
    [3],
    {},
  ])("can't be %j", (value) => {
    expect(readId(value)).toBeNaN();
  });
});
