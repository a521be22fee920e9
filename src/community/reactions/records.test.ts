import { Readable } from "node:stream";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  article,
  bytesOf,
  exportOf,
  importsInto,
  type Line,
  NOW,
  user,
} from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import { verify } from "../../operate/health/invariants.ts";
import { importFile } from "../../operate/community-file/import.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";

const database = databaseForEach();
const { load } = importsInto(database);
const renderPool = createRenderPool();
afterAll(() => renderPool.close());

const comment = (ref: string, more: object = {}) => ({
  type: "comment",
  ref,
  author: "lena",
  article: "one",
  body_markdown: ref,
  created_at: "2026-01-03T00:00:00Z",
  ...more,
});
const reaction = (more: object) => ({
  type: "reaction",
  user: "noor",
  category: "like",
  created_at: "2026-02-01T10:00:00Z",
  ...more,
});

const SITE: Line[] = [
  user("lena"),
  user("noor"),
  user("sue", { suspended: true }),
  article("one", { tags: ["wool"], imported_reactions_count: 3, score: -2 }),
  article("two"),
  article("draft", { published: false }),
  comment("first"),
];
beforeEach(async () => void (await load(SITE)));

async function rows() {
  const found = await database.db
    .selectFrom("reactions")
    .innerJoin("users", "users.id", "user_id")
    .leftJoin("articles", "articles.id", "article_id")
    .select(["username", "slug", "comment_id", "category", "status", "reactions.created_at"])
    .orderBy("reactions.id")
    .execute();
  return found.map(({ username, slug, comment_id, ...row }) => ({
    ...row,
    who: username,
    on: slug ?? comment_id,
  }));
}

const articleCounts = async (slug: string) =>
  database.db
    .selectFrom("articles")
    .select(["reactions_count", "public_reactions_count", "score", "points"])
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();

async function expectTrue(): Promise<void> {
  expect((await verify(database.db)).filter(({ result }) => result !== "ok")).toEqual([]);
}

describe("a reaction in a community file", () => {
  test("is stored and counted once, on top of what was brought from elsewhere", async () => {
    const file = [
      reaction({ article: "one" }),
      reaction({ article: "one", category: "readinglist", status: "archived" }),
      reaction({ article: "one", user: "Sue", category: "fire" }),
      reaction({ article: "draft" }),
      reaction({ comment: "first" }),
      reaction({ comment: "1", user: "lena", created_at: undefined }),
    ];
    expect(await load([comment("first"), ...file])).toMatchObject({ created: 6, updated: 0, unchanged: 1 });
    const like = { category: "like", status: "valid", created_at: new Date("2026-02-01T10:00:00Z") };
    expect(await rows()).toEqual([
      { ...like, who: "noor", on: "one" },
      { ...like, who: "noor", on: "one", category: "readinglist", status: "archived" },
      { ...like, who: "sue", on: "one", category: "fire" },
      { ...like, who: "noor", on: "draft" },
      { ...like, who: "noor", on: 1 },
      { ...like, who: "lena", on: 1, created_at: NOW },
    ]);
    const counts = { reactions_count: 3, public_reactions_count: 6, points: -5, score: 1 };
    expect(await articleCounts("one")).toEqual(counts);
    const { reactions_count } = await database.db
      .selectFrom("comments")
      .select("reactions_count")
      .executeTakeFirstOrThrow();
    expect(reactions_count).toBe(2);
    await expectTrue();
    expect(await load([...SITE, ...file])).toMatchObject({ created: 0, updated: 0, unchanged: 13 });
    expect(await articleCounts("one")).toEqual(counts);
    expect(await database.db.selectFrom("events").selectAll().execute()).toEqual([]);
  });

  test("that is there already is changed as far as the record says something", async () => {
    const mark = reaction({ article: "two", category: "readinglist" });
    await load([{ ...mark, status: "archived" }]);
    expect(await load([{ ...mark, created_at: undefined }])).toMatchObject({ unchanged: 1 });
    expect(await load([{ ...mark, status: "confirmed", created_at: "2025-01-01T00:00:00Z" }])).toMatchObject({
      updated: 1,
    });
    expect(await rows()).toMatchObject([
      { status: "confirmed", created_at: new Date("2025-01-01T00:00:00Z") },
    ]);
    expect(await articleCounts("two")).toMatchObject({ reactions_count: 1, score: 1 });
  });

  test("named twice in one file is one", async () => {
    const twice = [reaction({ comment: "first" }), reaction({ comment: "1" })];
    expect(await load([comment("first"), ...twice])).toMatchObject({ created: 1, unchanged: 2 });
    await expectTrue();
  });

  test("that is bad is passed over, and the others are counted", async () => {
    const file = [
      reaction({ article: "one" }),
      reaction({ article: "none" }),
      reaction({ article: "one", user: "lena" }),
      reaction({ article: "two", user: "ghost" }),
      reaction({ article: "two" }),
    ];
    expect(await load(file, { skipInvalid: true })).toMatchObject({ created: 3, skipped: 2 });
    expect([await articleCounts("one"), await articleCounts("two")]).toMatchObject([
      { reactions_count: 2 },
      { reactions_count: 1 },
    ]);
    await expectTrue();
  });
});

describe("an export", () => {
  const copy = databaseForEach();
  const FILE = [
    comment("first"),
    reaction({ article: "two", user: "sue" }),
    reaction({ article: "one" }),
    reaction({
      article: "one",
      category: "readinglist",
      status: "archived",
      created_at: "2025-01-02T03:04:05.678Z",
    }),
    reaction({ article: "draft" }),
    reaction({ comment: "first", category: "unicorn" }),
  ];

  test.each([false, true])(
    "imported into an empty site and exported again is the same (skipping bad records: %s)",
    async (skipInvalid) => {
      await load(FILE);
      const file = await exportOf(database.db);
      expect(file.split("\n").filter((line) => line.includes('"reaction"'))).toEqual([
        '{"type":"reaction","user":"sue","article":"two","category":"like","created_at":"2026-02-01T10:00:00Z"}',
        '{"type":"reaction","user":"noor","article":"one","category":"like","created_at":"2026-02-01T10:00:00Z"}',
        '{"type":"reaction","user":"noor","article":"one","category":"readinglist",' +
          '"created_at":"2025-01-02T03:04:05.678Z","status":"archived"}',
        '{"type":"reaction","user":"noor","article":"draft","category":"like","created_at":"2026-02-01T10:00:00Z"}',
        '{"type":"reaction","user":"noor","comment":"1","category":"unicorn","created_at":"2026-02-01T10:00:00Z"}',
      ]);
      const options = { renderPool, now: NOW, skipInvalid };
      const summary = await importFile(copy.db, Readable.from([file]), options);
      expect(summary).toMatchObject({ updated: 0, skipped: 0 });
      expect(await exportOf(copy.db)).toBe(file);
      expect((await verify(copy.db)).filter(({ result }) => result !== "ok")).toEqual([]);
    },
  );

  test("leaves out what was said of deleted articles", async () => {
    await load(FILE);
    await database.db
      .updateTable("articles")
      .set({ state: "deleted", deleted_at: NOW, deleted_from: "published" })
      .where("slug", "=", "one")
      .execute();
    const types = (await exportOf(database.db)).split("\n").filter((line) => line.includes('"reaction"'));
    expect(types).toHaveLength(2);
  });
});

test("a file of reactions alone is read from its start", async () => {
  const source = Readable.from([bytesOf([reaction({ article: "one" })])]);
  const summary = await importFile(database.db, source, { renderPool, now: NOW, only: ["reaction"] });
  expect(summary).toMatchObject({ created: 1 });
});
