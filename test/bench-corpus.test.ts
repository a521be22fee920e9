import { createHash } from "node:crypto";
import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import { corpus } from "../bench/corpus.ts";
import { PLANTED, PLANTED_PHRASE } from "../bench/corpus/planted.ts";
import { countWords, wordsIn } from "../bench/corpus/word-counts.ts";
import { makeVocabulary } from "../bench/corpus/words.ts";
import { ArticleRecord } from "../src/community/articles/record-columns.ts";

const UNTIL = new Date("2026-01-31T12:00:00Z");
const ARTICLES = 1_000;

const lines = [...corpus({ articles: ARTICLES, seed: 1, until: UNTIL })];
const records = lines.map((line) => JSON.parse(line) as { type: string });
const articles = records.filter(({ type }) => type === "article") as (ArticleRecord & { type: "article" })[];

function hashOf(options: { articles: number; seed: number }): string {
  const hash = createHash("sha256");
  for (const line of corpus({ ...options, until: UNTIL })) hash.update(line);
  return hash.digest("hex");
}

function isIn(word: string, article: ArticleRecord): boolean {
  return new RegExp(`\\b${word}\\b`, "i").test(`${article.title} ${article.body_markdown}`);
}

function numberWith(...words: string[]): number {
  return articles.filter((article) => words.every((word) => isIn(word, article))).length;
}

describe("the bench's corpus", () => {
  test("is the same to the byte for the same seed, and another for another", () => {
    const [one, again, other] = [1, 1, 2].map((seed) => hashOf({ articles: 50, seed }));
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test("has each planted word in exactly as many articles as its table says", () => {
    for (const { word, articlesOf } of PLANTED)
      expect([word, numberWith(word)]).toEqual([word, articlesOf(ARTICLES)]);
    expect(numberWith("planted20")).toBe(20);
    expect(numberWith("planted15pct")).toBe(150);
  });

  test("has the planted phrase in order, and its words side by side in the other order, as often as it says", () => {
    const { words, articlesOf, inOrderOf } = PLANTED_PHRASE;
    const withBoth = (pair: readonly string[]) =>
      articles.filter(({ body_markdown }) => new RegExp(pair.join(" "), "i").test(body_markdown ?? ""))
        .length;
    expect(numberWith(...words)).toBe(articlesOf(ARTICLES));
    expect(withBoth(words)).toBe(inOrderOf(ARTICLES));
    expect(withBoth(words.toReversed())).toBe(articlesOf(ARTICLES) - inOrderOf(ARTICLES));
  });

  test("plants words of which none is the beginning of another or of a made-up word", () => {
    const words = [...PLANTED.map(({ word }) => word), ...makeVocabulary(1)];
    for (const { word } of PLANTED) expect(words.filter((other) => other.startsWith(word))).toEqual([word]);
  });

  test("writes only what the community file knows, each article under a slug of its own", () => {
    for (const { type: _, ...fields } of articles) expect(Value.Errors(ArticleRecord, fields)).toEqual([]);
    expect(new Set(articles.map(({ slug }) => slug)).size).toBe(ARTICLES);
  });

  test("refers only to users, organizations and tags of earlier lines", () => {
    const seen = new Set<unknown>();
    const unknown: unknown[] = [];
    for (const record of records as (Record<string, unknown> & { type: string })[]) {
      const names = [
        record["author"],
        record["organization"],
        ...((record["tags"] as string[] | undefined) ?? []),
      ];
      unknown.push(...names.filter((name) => name !== undefined && !seen.has(name)));
      seen.add(record["username"] ?? record["name"]);
    }
    expect(unknown).toEqual([]);
    expect(seen.size).toBeGreaterThan(40);
  });

  test("is written as it is read, so that ten million articles need no more memory than ten", () => {
    const many = corpus({ articles: 10_000_000, seed: 1 });
    expect(JSON.parse(many.next().value ?? "")).toMatchObject({ type: "user" });
  });
});

test("Words are drawn by the number of articles in which they or longer words with that beginning stand", () => {
  const counts = countWords({ articles: ARTICLES, seed: 1, until: UNTIL });
  const texts = articles.map(
    ({ title, body_markdown, tags }) => `${title} ${body_markdown} ${tags?.join(" ")}`,
  );
  for (const [from, to] of [
    [2, 5],
    [50, 500],
  ] as const) {
    const words = wordsIn(counts, from, to);
    expect(words.length).toBeGreaterThan(500);
    for (const word of words.slice(0, 500).filter((_, place) => place % 25 === 0)) {
      const beginning = new RegExp(`\\b${word}`, "i");
      const holding = texts.filter((text) => beginning.test(text)).length;
      expect([word, holding >= from && holding <= to]).toEqual([word, true]);
    }
  }
});
