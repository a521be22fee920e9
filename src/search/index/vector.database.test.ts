import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../../../test/database.ts";
import { ArticleIndex } from "./article-index.ts";
import { parseQuery } from "./query.ts";
import { Segment } from "./segment.ts";
import { writeLoose } from "../../../test/searching.ts";
import { bodyTerms, headTerms } from "./vector.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";

const ARTICLE = { title: "", tags: [], names: [], description: "", body: "" };

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/**
 * Whether an article has all words of a query and nothing that it excludes: by PostgreSQL, whose index would have offered
 * the row, and by the index in memory.
 */
async function isFound(
  q: string,
  article: Partial<typeof ARTICLE>,
  language: SearchLanguage = "english",
): Promise<boolean> {
  const query = parseQuery(q, { language });
  if (query === null) return false;
  const wanted = query.clauses.map(({ condition }) => condition);
  const head = headTerms({ ...ARTICLE, ...article }, language).vector;
  const body = bodyTerms(article.body ?? "", language).vector;
  const found = await sql<{ loose: boolean; words: Buffer }>`
    select v @@ ${wanted.map(writeLoose).join(" & ")}::tsquery as loose, tsvectorsend(v) as words
    from (select ${head}::tsvector || ${body}::tsvector as v) as made`.execute(database.connection.db);
  const { loose = false, words = Buffer.alloc(4) } = found.rows[0] ?? {};
  const index = new ArticleIndex();
  const row = { article_id: 1, reactions: 0, published_at: 0, version: 1, title_key: "" };
  index.add({ ...row, hasBody: true, words });
  const [present, absent] = [wanted, query.exclusions].map((conditions) =>
    new Segment(index).count(conditions),
  );
  const exact =
    present?.every((count) => count === 1) === true && absent?.every((count) => count === 0) === true;
  if (exact) expect(loose).toBe(true);
  return exact;
}

describe("finds", () => {
  test.each([
    // Plain words, phrases, other spellings.
    ["rubber duck", "A rubber, then a duck"],
    ['"rubber duck"', "the Rubber-Duck method"],
    ["creme brulee", "Crème brûlée"],
    ["CRÈME", "creme"],
    ["ПРИВЕТ", "привет"],
    ["привет", "ПРИВЕТ МИР"],
    ["duck -goose", "duck"],
    ["well-known duck", "a well-known duck"],
    ["don't", "I don't know"],
    ["don’t", "I don't know"],
    ["dont", "I don't know"],
    // Inflections.
    ["Articles", "An article"],
    ["article", "Articles"],
    ["libraries", "a library"],
    ["library", "Libraries"],
    ["running", "run"],
    ["run", "Running"],
    ["happiness", "happy people"],
    ["state-machines", "a state machine"],
    // Beginnings.
    ["kubernet", "Kubernetes"],
    ["runni", "running"],
    ["happine", "happiness"],
    ["optimiz", "optimization"],
    ["the metho", "the rubber duck method"],
    // Names with signs.
    ["c++", "Modern C++."],
    ["c++", "C++17, C/C++"],
    ["c++17", "C++17"],
    ["c++17", "C++ 17"],
    ["c++", "用C++写的程序"],
    ["c#", "(C#)"],
    ["c#", "C#12"],
    ["c#", "C#语言"],
    ["f#", "F#, a language"],
    ["notepad++", "Notepad++"],
    ["notepad", "Notepad++"],
    [".net", "ASP.NET"],
    [".net", "The .NET runtime"],
    [".net", ".NET8"],
    [".net", "用.NET开发"],
    ["net", ".NET"],
    [".map", "items.map(draw)"],
    // Compounds.
    ["node.js", "Node.js"],
    ["node", "Node.js"],
    ["nodejs", "Node.js"],
    ["node.js", "Node JS"],
    ["node.js", "NodeJS"],
    ["node.j", "node.js"],
    ["e-mail", "email"],
    ["email", "E-mail"],
    ["u128/i128", "the u128/i128 types"],
    ["i128", "the u128/i128 types"],
    ["CVE-2015-8027", "fix CVE-2015-8027"],
    ["cve 8027", "fix CVE-2015-8027"],
    ["window.open()", "call `window.open()`"],
    ["window.open", "window.open(url)"],
    ["Tech@State", "Tech@State"],
    ["state", "Tech@State"],
    ["jane.doe@example.com", "mail <jane.doe@example.com>"],
    ["example.com", "jane.doe@example.com"],
    ["snake_case_name", "the snake_case_name"],
    ["case", "the snake_case_name"],
    ["snakecasename", "snake_case_name"],
    ["rock'n'roll", "Rock ’n’ Roll: Rock’n’Roll"],
    // Names with capitals or numbers.
    ["camel", "camelCaseName"],
    ["camel case", "camelCaseName"],
    ["camelcasename", "camelCaseName"],
    ["camelCaseName", "camelcasename"],
    ["parser", "HTMLParser"],
    ["vue", "Vue3"],
    ["vue3", "vue3"],
    ["vue3", "Vue 3"],
    ["vue 3", "Vue3"],
    ["k8s", "K8s"],
    ["1.29", "Kubernetes 1.29"],
    ["1.29", "Kubernetes v1.29.3"],
    ["v1.29", "Kubernetes 1.29"],
    ["v1.29", "Kubernetes 1.29.3"],
    ["V1.29.3", "Kubernetes 1.29.3"],
    ["v1.29 kubernetes", "Kubernetes v1.29.3"],
    ["go1.22", "Go 1.22"],
    ["go1.22", "go1.22"],
    ["rust1.70", "Rust 1.70.0"],
    ["python3.12", "Python 3.12"],
    ["python 3.12", "python3.12"],
    ["es6-modules", "ES 6 modules"],
    ["react 18", "React v18"],
    // Tags and addresses.
    ["#tag", "about #tag"],
    ["tag", "about #tag"],
    ["https://example.com/a/b?c=d", "see [it](https://example.com/a/b?c=d)."],
    ["example.com/a/b?c=d", "see [it](https://example.com/a/b?c=d)."],
    ["https://example.com/a", "on example.com/a"],
    // Other scripts.
    ["焰图", "生成火焰图的方法"],
    ["图", "火焰图"],
    ["ロッキング", "ノンブロッキングとは"],
    ['"火焰图 go"', "火焰图 Go"],
    ["도커라", "도커라이징"],
    ["ข้าว", "ฉันกินข้าวแล้ว"],
    ["مرحبا", "مَرْحَبًا بالعالم"],
    ["বাংলা", "আমার সোনার বাংলা"],
  ])("%s in %s", async (q, title) => {
    expect(await isFound(q, { title })).toBe(true);
    expect(await isFound(q, { body: title })).toBe(true);
  });
});

describe("does not find", () => {
  test.each([
    ['"duck rubber"', "rubber duck"],
    ["duck -goose", "duck and goose"],
    ["duck -geese", "duck and geese"],
    ["looms -weaving", "looms that weave"],
    ['"rubber duc"', "rubber duck"],
    ['"ducks"', "duck"],
    ["uck", "duck"],
    ["go x", "going on x"],
    ["going", "Go"],
    ["c++", "C"],
    ["c++ x", "c x"],
    ["c", "C++ and C#"],
    ["c x", "C++ x"],
    ["c#", "c and c++"],
    ["c#", "c#x"],
    [".net", "the net"],
    ['"java"', "JavaScript"],
    ["java x", "JavaScript x"],
    ["x -java", "x in Java"],
    ["1.29", "1 then 29 elsewhere"],
    ["1.29", "129"],
    ["v1.29", "1 then 29 elsewhere"],
    ["v1.29", "v1 then 29 elsewhere"],
    ["v1/users", "1 user"],
    ["go1.22", "Go 1.21"],
    ["go1.22", "Rust 1.22"],
    ["go1.22 x", "Go 1.221 x"],
    ['"v1.29"', "Kubernetes 1.29"],
    ["x -v1.29", "x 1.29"],
    ["node.js", "a node in js"],
    ["node.js -node.js", "Node.js"],
    ["x -red-wool", "x red wool"],
    ["x -vue3", "x Vue 3"],
    ["焰火", "火焰图"],
    ["火图", "火焰图"],
    ['"火焰图 go"', "火焰图形 Go"],
  ])("%s in %s", async (q, title) => {
    expect(await isFound(q, { title })).toBe(false);
  });
});

test.each<[SearchLanguage, string, string, boolean]>([
  ["german", "Haus", "Alte Häuser", true],
  ["german", "HÄUSERN", "Ein Haus", true],
  ["german", "Haus", "Der Häuser-Markt", true],
  ["german", "Märkten x", "Der Häuser-Markt x", true],
  ["german", "x -Haus", "x Häuser", false],
  ["german", "haus", "hausHüter", true],
  ["french", "régulier", "Les régulières", true],
  ["russian", "новый", "новая книга", true],
  ["spanish", "acción", "las acciones", true],
  ["arabic", "كتاب", "الكتاب", true],
  ["turkish", "İstanbul", "istanbul'da", true],
])("in %s %s in %s: %j", async (language, q, title, isThere) => {
  expect(await isFound(q, { title }, language)).toBe(isThere);
});

test("the inflections of a late word of a long text are found", async () => {
  expect(await isFound("running", { body: `${"a ".repeat(17_000)}runs` })).toBe(true);
});

test("without a language inflections are other words, and rows of the other language do no harm", async () => {
  expect(await isFound("running", { title: "run" }, "simple")).toBe(false);
  expect(await isFound("running", { title: "Running" }, "simple")).toBe(true);
});

test("an excluded word excludes neither what has it in a name as a whole nor what has it with a sign", async () => {
  expect(await isFound("x -java", { title: "x in JavaScript" })).toBe(true);
  expect(await isFound("x -c", { title: "x in C++" })).toBe(true);
});

test("no phrase is found across fields", async () => {
  expect(await isFound('"red wool"', { title: "red", body: "wool" })).toBe(false);
  expect(await isFound("red wool", { title: "red", body: "wool" })).toBe(true);
});

test("every part of two characters or more is found in scripts without spaces", async () => {
  const texts = ["生成火焰图的方法", "ノンブロッキングとは", "도커라이징하기", "ฉันกินข้าวแล้ว"];
  const cases = texts.flatMap((title) =>
    Array.from(title.matchAll(/.\p{M}*/gsu), ([character]) => character).flatMap((_, from, characters) =>
      characters.slice(from + 1).map((_, length) => ({
        q: characters.slice(from, from + length + 2).join(""),
        title,
      })),
    ),
  );
  const missed = [];
  for (const { q, title } of cases) if (!(await isFound(q, { title: `x${title}y` }))) missed.push(q);
  expect(cases.length).toBeGreaterThan(100);
  expect(missed).toEqual([]);
});
