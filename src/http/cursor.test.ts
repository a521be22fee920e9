import { expect, test } from "vitest";
import { type CursorFormat, type CursorValues, decodeCursor, encodeCursor } from "./pages.ts";

const order = (name: string): CursorFormat<CursorValues> => ({
  name,
  toValues: (values) => values,
  toKey: (values) => values,
});
const NEWEST = order("newest");

const REFUSAL = "cursor is not one that this list gave: start again without it";

test("a cursor gives back what it was made from", () => {
  const values = ["2026-03-02T09:15:00.123Z", 12.5, "J\u00f6rg \u{1F98A}", 7];
  const text = encodeCursor(NEWEST, values);
  expect(text).toMatch(/^[\w-]+$/);
  expect(decodeCursor(NEWEST, text)).toEqual(values);
});

test.each([
  ["of another order", encodeCursor(order("hot"), [1, 2])],
  ["of no order", Buffer.from("[]").toString("base64url")],
  ["that is an object", Buffer.from('{"0":"newest"}').toString("base64url")],
  ["with a list in it", Buffer.from('["newest",[1]]').toString("base64url")],
  ["with null in it", Buffer.from('["newest",null]').toString("base64url")],
  ["with NUL in it", Buffer.from('["newest","\\u0000"]').toString("base64url")],
  ["with half a surrogate pair in it", Buffer.from('["newest","\\ud800"]').toString("base64url")],
  ["that is no JSON", Buffer.from('["newest"').toString("base64url")],
  ["that is no base64", "%%%"],
  ["that is empty", ""],
  ["that was cut off", encodeCursor(NEWEST, ["2026-03-02T09:15:00Z", 7]).slice(0, -6)],
  ["that is too long", encodeCursor(NEWEST, ["a".repeat(400)])],
])("a cursor %s is refused", (_name, text) => {
  expect(() => decodeCursor(NEWEST, text)).toThrow(REFUSAL);
});
