import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, questionsOf, titleOf } from "../bench/relevance/collection.ts";
import { readCorpus } from "../bench/relevance/corpus.ts";
import { measure } from "../bench/relevance/measures.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-corpus-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("lines of a community file end at line feeds alone: JSON allows U+2028 and U+2029 in a text", async () => {
  const file = join(folder, "community.ndjson");
  const body_markdown = "One\u2028two\u2029three";
  const article = {
    type: "article",
    slug: "a",
    title: "A",
    body_markdown,
    published_at: "2026-01-01T00:00:00Z",
  };
  const user = { type: "user", username: "lena", name: "Lena" };
  await writeFile(file, [user, article].map((record) => `${JSON.stringify(record)}\n`).join(""));
  const { articles } = await readCorpus(file);
  expect(articles.map(({ slug }) => slug)).toEqual(["a"]);
});

test("a collection's questions are those that a text answers, and a text without a title is named by its first sentence", () => {
  const docs = ["a", "b"].map((id) => ({ id, title: "", text: "" }));
  const queries = ["1", "2"].map((id) => ({ id, text: `Question ${id}` }));
  const qrels = { 1: { a: 0, b: 3 }, 2: { a: 0 } };
  const collection: Collection = { name: "small", language: "en", docs, queries, qrels };
  expect(questionsOf(collection)).toEqual([{ q: "Question 1", answers: new Set([1]) }]);
  expect(titleOf(" ", "One is 1.5 of it.  Two.")).toBe("One is 1.5 of it.");
  expect(titleOf("", "一是这样。二")).toBe("一是这样。");
});

test("measures are those of TREC: a right text at place two of two right ones", () => {
  const questions = [{ q: "", answers: new Set([1, 9]) }];
  const { ndcg, ...others } = measure(questions, [[4, 1, 5]]);
  expect(ndcg).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 10);
  expect(others).toEqual({ map: 0.25, recall: 0.5, success: 1, empty: 0 });
  expect(measure(questions, [[]])).toEqual({ ndcg: 0, map: 0, recall: 0, success: 0, empty: 1 });
});
