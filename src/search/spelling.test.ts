import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { Db } from "../db/connect.ts";
import { databaseForAll } from "../../test/own-database.ts";
import { correct } from "./spelling.ts";

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

async function learn(database: ReturnType<typeof databaseForAll>, words: Record<string, number>) {
  await sql`
    insert into search_words (word, articles_count)
    select * from unnest(${Object.keys(words)}::text[], ${Object.values(words)}::int[])`.execute(database.db);
}

async function nearestTo(db: Db, word: string): Promise<string[]> {
  return (await correct(db, [word])).get(word) ?? [];
}

describe("the nearest words", () => {
  const database = databaseForAll();
  beforeAll(() => learn(database, WORDS));

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
  ])("%s is near to %s", async (word, nearest) => {
    expect(await nearestTo(database.db, word)).toEqual([nearest]);
  });

  test.each([
    ["phyton", "python"],
    ["raect", "react"],
    ["hmtl", "html"],
    ["teh", "the"],
  ])("%s is %s with a letter in the wrong place, however little else they share", async (word, nearest) => {
    expect(await nearestTo(database.db, word)).toEqual([nearest]);
  });

  test("may begin with another letter", async () => {
    expect(await nearestTo(database.db, "ubernetes")).toEqual(["kubernetes"]);
    expect(await nearestTo(database.db, "cubernetes")).toEqual(["kubernetes"]);
    expect(await nearestTo(database.db, "kpython")).toEqual(["python"]);
  });

  test("of the same beginning go before others of the same distance", async () => {
    expect(await nearestTo(database.db, "cake")).toEqual(["care"]);
    expect(await nearestTo(database.db, "fake")).toEqual(["lake", "bake"]);
  });

  test("are three at most, those of many articles first", async () => {
    expect(await nearestTo(database.db, "carx")).toEqual(["card", "care", "cart"]);
  });

  test("are only those at the best distance", async () => {
    expect(await nearestTo(database.db, "caart")).toEqual(["cart"]);
  });

  test.each(["zzzzzz", "tomatos", "xy", "pi", "20244", "火焰囲", "wanderlust"])(
    "of %s are none",
    async (word) => {
      expect(await nearestTo(database.db, word)).toEqual([]);
    },
  );

  test.each([
    "'; drop table search_words; --",
    "%",
    "pi%za",
    "p_zza",
    "\\",
    "piz'za",
    '{"piza"}',
    "x".repeat(200),
    "javascript".repeat(20),
    "\ud800",
    "",
    " ",
  ])("of %j are none", async (word) => {
    expect(await nearestTo(database.db, word)).toEqual([]);
  });

  test("can be asked for whatever the letters", async () => {
    const words = fc.sample(fc.string({ unit: "binary", minLength: 3, maxLength: 12 }), 400);
    for (let at = 0; at < words.length; at += 8) {
      expect(await correct(database.db, words.slice(at, at + 8))).toBeInstanceOf(Map);
    }
  });

  test("are found on a connection that has never used trigrams, and leave it as it was", async () => {
    await database.db.connection().execute(async (session) => {
      await sql`discard all`.execute(session);
      expect(await nearestTo(session, "javscript")).toEqual(["javascript"]);
      const { rows } = await sql<{ threshold: string }>`
        select current_setting('pg_trgm.similarity_threshold') as threshold`.execute(session);
      expect(rows[0]?.threshold).toBe("0.3");
    });
  });
});

describe("a query", () => {
  const database = databaseForAll();
  beforeAll(() => learn(database, WORDS));

  test("has each of its words corrected that something is near to", async () => {
    expect(await correct(database.db, ["kuberntes", "zzzzzz", "piza", "piza", "phyton"])).toEqual(
      new Map([
        ["kuberntes", ["kubernetes"]],
        ["piza", ["pizza"]],
        ["phyton", ["python"]],
      ]),
    );
  });

  test("of a hundred words has eight of them corrected", async () => {
    const words = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => `javas${letter}cript`);
    const corrections = await correct(database.db, [...words, ...words, "ab", "piza"]);
    expect([...corrections.keys()]).toEqual(words.slice(0, 8));
  });

  test("of no words needs no database", async () => {
    expect(await correct(database.db, [])).toEqual(new Map());
    expect(await correct(database.db, ["ab", "2024"])).toEqual(new Map());
  });
});

describe("without a vocabulary", () => {
  const database = databaseForAll();

  test("nothing is near to any word", async () => {
    expect(await nearestTo(database.db, "piza")).toEqual([]);
    expect(await correct(database.db, ["piza", "kuberntes"])).toEqual(new Map());
  });
});
