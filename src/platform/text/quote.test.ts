import { expect, test } from "vitest";
import { quote } from "./quote.ts";

test.each([
  ["a word", '"a word"'],
  ['a "word"', String.raw`"a \"word\""`],
  ["\0\n\u001b[31m", String.raw`"\u0000\n\u001b[31m"`],
  ["\u007f\u009b1m", String.raw`"\u{7f}\u{9b}1m"`],
  ["\u202eabc", String.raw`"\u{202e}abc"`],
  ["\ud800", String.raw`"\ud800"`],
  ["🦊".repeat(60), `"${"🦊".repeat(60)}"`],
  ["🦊".repeat(61), `"${"🦊".repeat(60)}…"`],
  ["a".repeat(1_000_000), `"${"a".repeat(60)}…"`],
])("%#: a text is shown whole or from its beginning, and moves nothing", (text, shown) => {
  expect(quote(text)).toBe(shown);
});
