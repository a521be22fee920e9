import { expect, test } from "vitest";
import { formsOf, otherStem } from "../search-index/tokens.ts";

test.each([
  ["running", ["running", "=run", "run"]],
  ["run", ["run", "=run"]],
  ["happiness", ["happiness", "=happi", "happi"]],
  ["going", ["going", "=go"]],
  ["go", ["go"]],
  ["h264", ["h264"]],
  ["c++", ["c++"]],
  ["привет", ["привет"]],
])("in English %s is looked for as %j", (word, forms) => {
  expect(formsOf(word, "english")).toEqual(forms);
});

test("without a language a word is looked for as it is", () => {
  expect(formsOf("running", "simple")).toEqual(["running"]);
  expect(otherStem("running", "simple")).toBeUndefined();
});

test("a word that is its own stem has no other", () => {
  expect(otherStem("running", "english")).toBe("run");
  expect(otherStem("run", "english")).toBeUndefined();
});
