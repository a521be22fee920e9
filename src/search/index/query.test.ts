import { expect, test } from "vitest";
import { parseQuery } from "./query.ts";
import { writeExact } from "./terms.ts";

const clausesOf = (q: string) => parseQuery(q, { language: "english" })?.clauses ?? [];
const textsOf = (q: string) => clausesOf(q).map(({ text }) => text);

test("a word that is typed twice counts once", () => {
  expect(textsOf("cat dog cat mouse dog cat")).toEqual(["cat", "dog", "mouse"]);
});

test("of many words the longest count", () => {
  const short = Array.from({ length: 80 }, (_, n) => `w${n}`);
  const telling = ["kubernetes", "operators", "reconcile"];
  const texts = textsOf([...short, ...telling].join(" "));
  expect(texts).toHaveLength(64);
  expect(texts.slice(-3)).toEqual(telling);
});

test("any text is a query of 64 words at most", () => {
  const exact = (q: string) => clausesOf(q).map(({ condition }) => writeExact(condition));
  expect(textsOf("a1 b2 ".repeat(100_000))).toEqual(["a1", "b2"]);
  expect(textsOf(Array.from({ length: 300 }, (_, n) => `w${n}`).join(" "))).toHaveLength(64);
  expect(exact(`"${"中".repeat(500)}"`)[0]?.match(/中中/g)).toHaveLength(63);
  expect(exact("a.".repeat(500))[0]?.match(/<1>/g)).toHaveLength(63);
});
