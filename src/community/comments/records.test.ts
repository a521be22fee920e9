import { beforeEach, describe, expect, test } from "vitest";
import { article, exportOf, importsInto, type Line, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";

const database = databaseForEach();
const { load } = importsInto(database);
beforeEach(() =>
  load([
    user("lena"),
    user("bob"),
    article("one"),
    article("two"),
    { type: "podcast", slug: "loomcast", title: "Loomcast" },
    {
      type: "podcast_episode",
      podcast: "loomcast",
      slug: "ep-1",
      title: "One",
      media_url: "https://x.example/1",
    },
  ]),
);

const comment = (more: object = {}) => ({
  type: "comment",
  author: "bob",
  article: "one",
  body_markdown: "Nice weave",
  created_at: "2026-02-01T00:00:00Z",
  ...more,
});
const stored = () =>
  database.db
    .selectFrom("comments")
    .select([
      "id",
      "parent_id",
      "root_id",
      "body_html",
      "deleted",
      "hidden",
      "score",
      "edited_at",
      "created_at",
    ])
    .orderBy("id")
    .execute();
const counts = () =>
  database.db
    .selectFrom("articles")
    .select(["slug", "comments_count", "last_comment_at"])
    .orderBy("slug")
    .execute();
const exported = () => exportOf(database.db, { only: ["comment"] });
const id = (code: string) => Number.parseInt(code, 26);

describe("a comment in a community file", () => {
  test("keeps its number, answers by ref or code, and is counted", async () => {
    const lines = [
      comment({ id_code: "m35m" }),
      comment({ ref: "a", parent: "m35m", created_at: "2026-02-03T00:00:00Z" }),
      comment({ id_code: "4fae", parent: "a", body_markdown: "*Older* number", score: 5 }),
      comment({ id_code: "n1", deleted: true, created_at: "2026-02-04T00:00:00Z" }),
      comment({ id_code: "n2", hidden: true, edited_at: "2026-02-02T00:00:00Z" }),
      comment({ id_code: "n3", article: undefined, episode: "loomcast/ep-1" }),
    ];
    expect(await load(lines)).toMatchObject({ created: 6 });
    const rows = await stored();
    const answer = rows.find(({ parent_id }) => parent_id === id("m35m"));
    expect(rows).toMatchObject([
      { id: id("n1"), deleted: true },
      { id: id("n2"), hidden: true, edited_at: new Date("2026-02-02T00:00:00Z") },
      { id: id("n3") },
      { id: id("4fae"), parent_id: answer?.id, root_id: id("m35m"), score: 5 },
      { id: id("m35m"), parent_id: null, root_id: id("m35m"), score: 1, body_html: "<p>Nice weave</p>\n" },
      { id: answer?.id, root_id: id("m35m") },
    ]);
    expect(await counts()).toEqual([
      { slug: "one", comments_count: 4, last_comment_at: new Date("2026-02-03T00:00:00Z") },
      { slug: "two", comments_count: 0, last_comment_at: null },
    ]);
    expect(await load(lines)).toMatchObject({ created: 0, updated: 0, unchanged: 6 });
    expect(await stored()).toEqual(rows);
  });

  test("without a code is the same comment when everything of it is", async () => {
    const lines = [
      comment({ ref: "a" }),
      comment({ ref: "b", parent: "a" }),
      comment({ parent: "b" }),
      comment({ created_at: undefined, body_markdown: "Undated" }),
    ];
    expect(await load(lines)).toMatchObject({ created: 4 });
    expect(await load(lines)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
    expect(await load([comment({ ref: "x" }), comment({ ref: "y" })])).toMatchObject({ unchanged: 2 });
    const others = [
      comment({ author: "lena" }),
      comment({ article: "two" }),
      comment({ created_at: "2026-02-01T00:00:01Z" }),
      comment({ body_markdown: "Nice weft" }),
      comment({ article: undefined, episode: "loomcast/ep-1" }),
    ];
    expect(await load(others)).toMatchObject({ created: 5 });
  });

  test("may write the names of people and episodes in any case", async () => {
    const [named, shouted] = [
      comment({ article: undefined, episode: "loomcast/ep-1" }),
      comment({ article: undefined, episode: "LoomCast/EP-1", author: "Bob" }),
    ];
    expect(await load([shouted])).toMatchObject({ created: 1 });
    expect(await load([named, shouted])).toMatchObject({ created: 0, unchanged: 2 });
  });

  test("that is in one file twice is one comment", async () => {
    const lines = [comment({ ref: "a" }), comment({ ref: "b" }), comment({ parent: "b", ref: "c" })];
    expect(await load(lines)).toMatchObject({ created: 2, unchanged: 1 });
    const [first, answer] = await stored();
    expect(answer?.parent_id).toBe(first?.id);
  });

  test("without a code is numbered in the order of the file, answers among others", async () => {
    const bodies = ["First", "Answer", "Second", "Answer to the answer"];
    const parents = [undefined, "First", undefined, "Answer"];
    await load(bodies.map((ref, index) => comment({ ref, body_markdown: ref, parent: parents[index] })));
    expect((await stored()).map(({ body_html }) => body_html)).toEqual(
      bodies.map((body) => `<p>${body}</p>\n`),
    );
  });

  test("is changed by a record of its code", async () => {
    await load([comment({ id_code: "m35m" })]);
    const changed = comment({ id_code: "m35m", body_markdown: "Nice *weft*", deleted: true, score: 3 });
    expect(await load([changed])).toMatchObject({ updated: 1, created: 0 });
    expect(await stored()).toMatchObject([
      { body_html: "<p>Nice <em>weft</em></p>\n", deleted: true, score: 3 },
    ]);
    expect((await counts())[0]).toMatchObject({ comments_count: 0, last_comment_at: null });
  });

  test("stays deleted or hidden when its file comes again, unless that says otherwise", async () => {
    const codes = ["1a", "1b"];
    await load(codes.map((id_code) => comment({ id_code, body_markdown: id_code })));
    await database.db.updateTable("comments").set({ deleted: true, hidden: true }).execute();
    const states = async () => (await stored()).map(({ deleted, hidden }) => [deleted, hidden]);
    expect(await load(codes.map((id_code) => comment({ id_code, body_markdown: id_code })))).toMatchObject({
      unchanged: 2,
    });
    expect(await states()).toEqual([
      [true, true],
      [true, true],
    ]);
    await load(
      codes.map((id_code) => comment({ id_code, body_markdown: id_code, deleted: false, hidden: false })),
    );
    expect(await states()).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  test("gets another number where its own is another comment's, and is found again, and so are its answers", async () => {
    await load([comment({ id_code: "m1", author: "lena" })]);
    const lines = [comment({ id_code: "m1" }), comment({ id_code: "m2", parent: "m1" })];
    expect(await load(lines)).toMatchObject({ created: 2 });
    const rows = await stored();
    expect(rows.find((row) => row.id === id("m2"))?.parent_id).toBe(id("m3"));
    expect(await load(lines)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });

  test("that has the ref of another's code means the ref", async () => {
    await load([comment({ id_code: "abc", author: "lena" })]);
    await load([comment({ ref: "abc" }), comment({ parent: "abc", body_markdown: "Answer" })]);
    const answer = (await stored()).find(({ body_html }) => body_html.includes("Answer"));
    expect(answer?.parent_id).toBeGreaterThan(id("abc"));
    const bad = [
      comment({ ref: "abc", author: "nobody" }),
      comment({ parent: "abc", body_markdown: "Lost" }),
    ];
    expect(await load(bad, { skipInvalid: true })).toMatchObject({ skipped: 2, created: 0 });
  });

  const REFUSED: [object, string][] = [
    [{ author: "nobody" }, 'author "nobody" is not a user of the site'],
    [{ article: "none" }, 'article "none" is not one of the site'],
    [{ article: undefined, episode: "loomcast/none" }, 'episode "loomcast/none" is not one of the site'],
    [{ article: undefined, episode: "loomcast" }, 'episode "loomcast" is not one of the site'],
    [{ episode: "loomcast/ep-1" }, "it must name either an article or an episode"],
    [{ article: undefined }, "it must name either an article or an episode"],
    [{ parent: "zz" }, 'parent "zz" is not a comment of the site or of an earlier line'],
    [{ parent: "itself", ref: "itself" }, 'parent "itself" is not a comment of the site'],
    [{ parent: "aa", article: "two" }, 'parent "aa" stands under something else'],
    [{ id_code: "aa", parent: "ab" }, "on the site it is a reply to another comment"],
    [{ id_code: "M35M" }, "id_code must be a number in base 26"],
    [{ id_code: "0a" }, "id_code must be a number in base 26"],
    [{ id_code: "pppppp1" }, 'id_code "pppppp1" is too large a number'],
    [{ body_markdown: " " }, "Body markdown can't be blank"],
    [{ body_markdown: "x".repeat(25_001) }, "Body markdown is too long"],
  ];
  test("is refused when it can't be what it says, and nothing is kept", async () => {
    await load([comment({ id_code: "aa" }), comment({ id_code: "ab", body_markdown: "Other" })]);
    const before = [await stored(), await counts()];
    for (const [more, sentence] of REFUSED) {
      await expect(load([comment({ body_markdown: "Good" }), comment(more)])).rejects.toThrow(sentence);
      expect([more, await stored(), await counts()]).toEqual([more, ...before]);
    }
  });

  test("that is left out leaves out its answers, and no others", async () => {
    const lines = [
      comment({ ref: "a", author: "nobody" }),
      comment({ ref: "b", parent: "a" }),
      comment({ ref: "c", parent: "b" }),
      comment({ ref: "d" }),
      comment({ ref: "e", parent: "d" }),
    ];
    expect(await load(lines, { skipInvalid: true })).toMatchObject({ created: 2, skipped: 3 });
    expect((await counts())[0]).toMatchObject({ comments_count: 2 });
  });

  test("comes back from an export as it was, also one that is older than what it answers", async () => {
    const lines: Line[] = [
      comment({ id_code: "m35m", score: 3 }),
      comment({ id_code: "4f", parent: "m35m", edited_at: "2026-02-02T00:00:00Z" }),
      comment({ id_code: "3a", parent: "4f", deleted: true, hidden: true }),
      comment({ id_code: "m4", parent: "m35m", author: "lena" }),
      comment({ id_code: "b", article: undefined, episode: "loomcast/ep-1" }),
      // The same words twice.
      comment({ id_code: "c1", article: "two" }),
      comment({ id_code: "c2", article: "two" }),
    ];
    await load(lines);
    const text = await exported();
    const codes = text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id_code: string }).id_code);
    expect(codes).toEqual(["b", "c1", "c2", "m35m", "4f", "m4", "3a"]);
    expect(await load([text])).toMatchObject({ created: 0, updated: 0, unchanged: 7 });
    await database.db.deleteFrom("comments").execute();
    expect(await load([text])).toMatchObject({ created: 7 });
    expect(await exported()).toBe(text);
  });

  test("under a deleted article is not exported", async () => {
    await load([comment({ id_code: "m35m" }), comment({ id_code: "m36", article: "two" })]);
    await database.db
      .updateTable("articles")
      .set({ state: "deleted", deleted_at: new Date(), deleted_from: "published" })
      .where("slug", "=", "one")
      .execute();
    expect((await exported()).trim().split("\n")).toHaveLength(1);
  });
});
