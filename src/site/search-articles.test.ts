import { h } from "preact";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Found } from "./search-articles.tsx";

const IDS = [1, 2, 3];
const ROWS = IDS.map((id) => ({ id }));
const REFS = IDS.map((article_id) => ({ article_id, version: "1" }));

function words(articles: typeof ROWS, withAll: number | undefined, match: "exact" | "partial") {
  const children = ({ id }: { id: number }) => id;
  const html = render(h(Found, { articles, found: { rows: REFS, match, withAll }, children }));
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/ +/g, " ")
    .trim();
}

test.each([
  [undefined, "exact", "1 2 3"],
  [3, "exact", "1 2 3"],
  [2, "exact", "1 2 These have some of your words. 3"],
  [0, "exact", "These have some of your words. 1 2 3"],
  [0, "partial", "1 2 3"],
] as const)(
  "on a page of which %s articles have all words, %s, a line stands before the others",
  (withAll, match, expected) => {
    expect(words(ROWS, withAll, match)).toBe(expected);
  },
);

test("an article that was unpublished meanwhile moves no other one over the line", () => {
  expect(words(ROWS.slice(1), 2, "exact")).toBe("2 These have some of your words. 3");
});
