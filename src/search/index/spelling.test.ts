import { describe, expect, test } from "vitest";
import { corrected, doubted, splitsOf, Vocabulary } from "./spelling.ts";

const WORDS = {
  привет: 3,
  pizza: 5,
  javascript: 90,
  kubernetes: 40,
  pepperoni: 2,
  python: 70,
  react: 60,
  html: 30,
  the: 500,
  definitely: 4,
  postgresql: 20,
  environment: 9,
  sourdough: 7,
  wandern: 1,
  straße: 1,
  हिन्दी: 2,
  // Equally near to many a misspelling.
  cart: 3,
  card: 8,
  care: 8,
  cars: 1,
  bake: 4,
  lake: 9,
  // No article has it any more.
  tomatoes: 0,
};

function vocabularyOf(words: Record<string, number>): Vocabulary {
  const vocabulary = new Vocabulary();
  for (const [word, articles] of Object.entries(words)) vocabulary.set(word, articles);
  return vocabulary;
}

const vocabulary = vocabularyOf(WORDS);

/** Corrections of words that no article has. */
const readAs = (words: readonly string[], given = vocabulary) =>
  new Map([...corrected(words, given)].map(([word, meant]) => [word, meant.words]));

const nearestTo = (word: string, given = vocabulary) => readAs([word], given).get(word) ?? [];

describe("the nearest words", () => {
  test.each([
    ["приевт", "привет"],
    ["piza", "pizza"],
    ["pizzza", "pizza"],
    ["javscript", "javascript"],
    ["javasrcipt", "javascript"],
    ["kuberntes", "kubernetes"],
    ["kubernets", "kubernetes"],
    ["peperoni", "pepperoni"],
    ["peppironi", "pepperoni"],
    ["definately", "definitely"],
    ["postgressql", "postgresql"],
    ["enviroment", "environment"],
    ["हिन्दि", "हिन्दी"],
  ])("%s is near to %s", (word, nearest) => {
    expect(nearestTo(word)).toEqual([nearest]);
  });

  test("of the same beginning go before others of the same distance", () => {
    expect(nearestTo("cake")).toEqual(["care"]);
  });

  test("are three at most, those of many articles first", () => {
    expect(nearestTo("carx")).toEqual(["card", "care", "cart"]);
  });

  test("are only those at the best distance", () => {
    expect(nearestTo("caart")).toEqual(["cart"]);
  });

  test.each(["zzzzzz", "tomatos", "xy", "pi", "teh", "fake", "20244", "火焰囲", "wanderlust"])(
    "of %s are none",
    (word) => {
      expect(nearestTo(word)).toEqual([]);
    },
  );
});

describe("a query", () => {
  test("of a hundred words has eight of them corrected", () => {
    const words = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => `javas${letter}cript`);
    const corrections = readAs([...words, ...words, "ab", "piza"]);
    expect([...corrections.keys()]).toEqual(words.slice(0, 8));
  });
});

test("nothing is corrected to a stop word, nor to another inflection of itself", () => {
  const words = vocabularyOf({ than: 900, thanks: 5, tank: 3 });
  const meant = (word: string, language: "english" | "simple") =>
    corrected([word], words, language).get(word)?.words;
  expect(meant("thane", "english")).toBeUndefined();
  expect(meant("thank", "english")).toBeUndefined();
  expect(meant("thank", "simple")).toEqual(["thanks", "tank"]);
});

describe("a word of few articles", () => {
  const count = async (words: string[]) => words.map((word) => WORDS[word as keyof typeof WORDS]);

  test("may also mean a near one of ten times as many, but no stop word", async () => {
    const meant = async (articles: number) =>
      (await doubted(new Map([["pythom", articles]]), vocabulary, { factor: 0.4, count })).get("pythom");
    expect(await meant(7)).toEqual({ words: ["python"], factor: 0.4, isInstead: false, apart: [] });
    expect(await meant(8)).toBeUndefined();
    const stopWords = vocabularyOf({ their: 900 });
    expect(
      await doubted(new Map([["theit", 1]]), stopWords, { factor: 0.4, count: async () => [900] }),
    ).toEqual(new Map());
  });
});

test("a word is split where the vocabulary has both parts, or one of two letters", () => {
  const words = vocabularyOf({ open: 9, source: 8, web: 5, server: 4, react: 6, opens: 1, our: 3 });
  expect(splitsOf("opensource", words)).toEqual([["open", "source"]]);
  expect(splitsOf("webserver", words)).toEqual([["web", "server"]]);
  expect(splitsOf("reactjs", words)).toEqual([["react", "js"]]);
  for (const word of ["reacts", "opensauce", "react", "we", "x".repeat(100)])
    expect(splitsOf(word, words)).toEqual([]);
});

test.each([
  ["tomta", ["tomat", "tota"]],
  ["tonat", ["tomat"]],
  ["toomat", ["tomat"]],
  ["tmat", ["tomat"]],
  ["tomat", []],
  ["omat", []],
])("the beginnings near %s are %j", (typed, expected) => {
  const vocabulary = new Vocabulary();
  const words = { tomato: 3, tomatoes: 9, tomb: 3, ton: 20, tomtate: 0, total: 30 };
  for (const [word, articles] of Object.entries(words)) vocabulary.set(word, articles);
  expect(vocabulary.nearBeginnings(typed, 9)).toEqual(expected);
});
