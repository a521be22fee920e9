import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../test/database.ts";
import { toTsquery, toTsvector } from "./search-text.ts";

const ARTICLE = { title: "", tags: [], names: [], description: "", body: "" };

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

async function isFound(q: string, article: Partial<typeof ARTICLE>): Promise<boolean> {
  const { all } = toTsvector({ ...ARTICLE, ...article });
  const found = await sql<{
    found: boolean;
  }>`select ${all}::tsvector @@ ${toTsquery(q)}::tsquery as found`.execute(database.connection.db);
  return found.rows[0]?.found ?? false;
}

test.each([
  ["rubber duck", "A rubber, then a duck"],
  ['"rubber duck"', "the Rubber-Duck method"],
  ["metho", "the rubber duck method"],
  ["creme brulee", "Crème brûlée"],
  ["CRÈME", "creme"],
  ["duck -goose", "duck"],
  ["焰图", "生成火焰图的方法"],
  ["图", "火焰图"],
  ["ロッキング", "ノンブロッキングとは"],
  ['"火焰图 go"', "火焰图 Go"],
  ["도커라", "도커라이징"],
  ["ข้าว", "ฉันกินข้าวแล้ว"],
  ["don't", "I don't know"],
])("%s finds %s", async (q, title) => {
  expect(await isFound(q, { title })).toBe(true);
  expect(await isFound(q, { body: title })).toBe(true);
});

test.each([
  ['"duck rubber"', "rubber duck"],
  ["duck -goose", "duck and goose"],
  ['"rubber duc"', "rubber duck"],
  ["uck", "duck"],
  ["焰火", "火焰图"],
  ['"火焰图 go"', "火焰图形 Go"],
])("%s does not find %s", async (q, title) => {
  expect(await isFound(q, { title })).toBe(false);
});

test("no phrase is found across fields", async () => {
  expect(await isFound('"red wool"', { title: "red", body: "wool" })).toBe(false);
  expect(await isFound("red wool", { title: "red", body: "wool" })).toBe(true);
});

test("every text is a valid vector and a valid query", async () => {
  const texts = fc.sample(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            "a",
            "-",
            '"',
            "'",
            "\\",
            "\0",
            "\ud800",
            " ",
            ":*",
            "&",
            "<->",
            "中",
            "ก็",
            "!",
            "é",
          ),
        )
        .map((parts) => parts.join("")),
    ),
    3000,
  );
  const queries = texts.map(toTsquery).filter((query) => query !== null);
  const vectors = texts.map((title) => toTsvector({ ...ARTICLE, title, tags: [title], body: title }).all);
  const { db } = database.connection;
  const read = await sql<{ queries: number; vectors: number }>`
    select (select count(q::tsquery) from unnest(${queries}::text[]) q)::int as queries,
           (select count(v::tsvector) from unnest(${vectors}::text[]) v)::int as vectors`.execute(db);
  expect(read.rows[0]).toEqual({ queries: queries.length, vectors: vectors.length });
});

test("the largest bodies are valid vectors", async () => {
  const bodies = [
    Array.from({ length: 150_000 }, (_, number) => `w${number.toString(36)}`).join(" "),
    Array.from({ length: 270_000 }, (_, number) =>
      String.fromCodePoint(0x4e00 + ((number * 7919) % 20_000)),
    ).join(""),
    "x".repeat(800_000),
    "\ufdfa ".repeat(200_000),
    "again ".repeat(130_000),
  ];
  const vectors = bodies.map((body) => toTsvector({ ...ARTICLE, body }).all);
  const sizes = await sql<{ size: number }>`
    select length(v::tsvector) as size from unnest(${vectors}::text[]) with ordinality as t(v, n) order by n
  `.execute(database.connection.db);
  expect(sizes.rows.map(({ size }) => size)).toEqual([expect.any(Number), expect.any(Number), 1, 4, 1]);
});
