import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../test/database.ts";
import { cases } from "../../test/setup.ts";
import { parseQuery } from "./index/query.ts";
import { writeLoose } from "../../test/searching.ts";
import { writeExact } from "./index/terms.ts";
import { bodyTerms, headTerms } from "./index/vector.ts";

const HEAD = { title: "", tags: [], names: [], description: "" };

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Texts of what queries and articles are made of, so that many of them meet. */
const PIECES = [
  ...Array.from("abc123 -\"'\\&|!()<>:*.+#_@/"),
  "\0",
  "\ud800",
  " ",
  " ",
  " ",
  "中",
  "国",
  "ก็",
  "é",
  "İ",
  "run",
];
const MORE_PIECES = [
  "running",
  "vue3",
  "c++",
  ".net",
  "node.js",
  "Node JS",
  "useEffect",
  ' -"',
  '" ',
  " -a",
  "ﷺ",
  "v1",
];
const TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.array(fc.constantFrom(...PIECES, ...MORE_PIECES), { maxLength: 12 }).map((pieces) => pieces.join("")),
);

test("every text is a valid vector and a valid query", async () => {
  const texts = fc.sample(TEXT, cases(4000, 1000));
  texts.push(
    "(".repeat(1000),
    "a.".repeat(500),
    "a b2 ".repeat(200),
    "中".repeat(1000),
    "ﷺ".repeat(1000),
    "-a ".repeat(300) + "b",
  );
  const parsed = texts.map((q) => parseQuery(q, { language: "english" })).filter((query) => query !== null);
  const queries = parsed.flatMap(({ clauses, exclusions, words }) => [
    ...clauses.flatMap(({ condition }) => [writeLoose(condition), writeExact(condition)]),
    ...exclusions.map(writeExact),
    ...words.map(({ occurs }) => writeExact(occurs)),
  ]);
  const heads = texts.map((title) => headTerms({ ...HEAD, title, tags: [title] }, "english").vector);
  const bodies = texts.map((text) => bodyTerms(text, "english").vector);
  const read = await sql<{ queries: number; vectors: number; unbounded: number }>`
    select (select count(q::tsquery) from unnest(${queries}::text[]) q)::int as queries,
           (select count(head::tsvector || body::tsvector)
            from unnest(${heads}::text[], ${bodies}::text[]) as article (head, body))::int as vectors,
           (select count(*) from unnest(${queries}::text[]) q where querytree(q::tsquery) in ('', 'T'))::int as unbounded
  `.execute(database.connection.db);
  expect(parsed.length).toBeGreaterThan(cases(1500, 375));
  expect(read.rows[0]).toEqual({ queries: queries.length, vectors: texts.length, unbounded: 0 });
});

test("what the index answers alone has all that a whole condition finds, and some of it is found", async () => {
  const language = "english";
  const texts = fc.sample(
    fc.array(fc.constantFrom(...PIECES, ...MORE_PIECES), { maxLength: 12 }).map((pieces) => pieces.join("")),
    cases(1000, 300),
  );
  const conditions = texts.flatMap(
    (q) => parseQuery(q, { language })?.clauses.map(({ condition }) => condition) ?? [],
  );
  const vectors = texts.map((title) => headTerms({ ...HEAD, title }, language).vector);
  const read = await sql<{ found: number; narrowed: number; missed: number }>`
    select count(*) filter (where v @@ exact)::int as found,
           count(*) filter (where v @@ loose and not v @@ exact)::int as narrowed,
           count(*) filter (where v @@ exact and not v @@ loose)::int as missed
    from (select v::tsvector from unnest(${vectors}::text[]) v) as made,
      (select distinct l::tsquery as loose, e::tsquery as exact from unnest(
        ${conditions.map(writeLoose)}::text[], ${conditions.map(writeExact)}::text[]) as t(l, e)) as asked
  `.execute(database.connection.db);
  expect(read.rows[0]).toMatchObject({ missed: 0 });
  expect(read.rows[0]?.found).toBeGreaterThan(cases(500, 45));
  expect(read.rows[0]?.narrowed).toBeGreaterThan(cases(50, 4));
});

test("the largest bodies are valid vectors, even behind the largest head", async () => {
  const bodies = [
    Array.from({ length: 150_000 }, (_, number) => `w${number.toString(36)}`).join(" "),
    Array.from({ length: 270_000 }, (_, number) =>
      String.fromCodePoint(0x4e00 + ((number * 7919) % 20_000)),
    ).join(""),
    Array.from({ length: 100_000 }, (_, number) => `aB${number.toString(36)}.weavings`).join(" "),
    "x".repeat(800_000),
    "aB".repeat(400_000),
    "a.".repeat(400_000),
    "\ufdfa ".repeat(200_000),
    "again ".repeat(130_000),
  ];
  const vectors = bodies.map((body) => bodyTerms(body, "english").vector);
  const description = Array.from({ length: 150_000 }, (_, number) => `h${number.toString(36)}`).join(" ");
  const head = headTerms({ ...HEAD, description }, "english").vector;
  const sizes = await sql<{ size: number; joined: number }>`
    select length(v::tsvector) as size, length(${head}::tsvector || v::tsvector) as joined
    from unnest(${vectors}::text[]) with ordinality as t(v, n) order by n
  `.execute(database.connection.db);
  const many = expect.any(Number);
  expect(sizes.rows.map(({ size }) => size)).toEqual([many, many, many, 1, 2, 2, 4, 1]);
  expect(sizes.rows.every(({ size, joined }) => joined > size)).toBe(true);
});
