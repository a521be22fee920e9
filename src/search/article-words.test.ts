import { expect, test } from "vitest";
import { bodyTerms, type Head, headTerms } from "./index/vector.ts";

const ARTICLE = { title: "", tags: [], names: [], description: "", body: "" };
const wordsOf = (article: Head & { body: string }) => [
  ...new Set([...headTerms(article, "english").words, ...bodyTerms(article.body, "english").words]),
];

test("the vocabulary has the words of titles, tags, names and descriptions, each once, and joined words both ways", () => {
  expect(
    wordsOf({
      title: "Kubernetes: an e-mail about Node.js, Articles and kubernetes",
      tags: ["webdev"],
      names: ["Zoë Ångström", "zoe_a"],
      description: "Postgres and Webdev",
      body: "",
    }),
  ).toEqual([
    "kubernetes",
    "mail",
    "email",
    "about",
    "node",
    "nodejs",
    "articles",
    "and",
    "webdev",
    "zoe",
    "angstrom",
    "zoea",
    "postgres",
  ]);
});

test("the vocabulary has no numbers, versions, very short or long words, stems, name parts or runs", () => {
  const text = `2024 v1.29 ab C++ useEffect running 火焰图 ${"x".repeat(41)} ${"y".repeat(40)} `;
  const expected = ["useeffect", "running", "y".repeat(40)];
  expect(wordsOf({ ...ARTICLE, title: text })).toEqual(expected);
  expect(wordsOf({ ...ARTICLE, body: text.repeat(4) })).toEqual(expected);
});

test("a word of a body is in the vocabulary when it stands there four times", () => {
  const body = `${"Postgres ".repeat(3)}postgres ${"postgress ".repeat(3)} ${"node.js, ".repeat(4)}`;
  expect(wordsOf({ ...ARTICLE, title: "Postgres", body })).toEqual(["postgres", "node", "nodejs"]);
});

test("of a body it has the forty most frequent words, and of equally frequent ones the first", () => {
  const words = Array.from({ length: 50 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}${at % 7}`);
  const often = "often ".repeat(6);
  const body = `${words.map((word) => `${word} 12 `.repeat(4)).join("")}${often}`;
  expect(wordsOf({ ...ARTICLE, body })).toEqual(["often", ...words.slice(0, 39)]);
});
