import { expect, test } from "vitest";
import { formsOf, ownStem } from "./index/stemming.ts";

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
  expect(formsOf(word, ["english"])).toEqual(forms);
});

test("without a language a word is looked for as it is", () => {
  expect(formsOf("running", ["simple"])).toEqual(["running"]);
  expect(ownStem("simple", "running", "running")).toBeUndefined();
});

test("a word that is its own stem has no other", () => {
  expect(ownStem("english", "running", "running")).toBe("=run");
  expect(ownStem("english", "run", "run")).toBeUndefined();
});
