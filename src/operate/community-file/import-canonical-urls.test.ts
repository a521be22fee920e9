import { beforeEach, describe, expect, test } from "vitest";
import { article as articleNamed, importsInto, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";

const LATER = "2030-01-01T00:00:00Z";
const database = databaseForEach();
const { load } = importsInto(database);
beforeEach(async () => void (await load([user("lena")])));

/** An article whose original stands at this place elsewhere, if it has one. */
const article = (slug: string, place: string | null, more: object = {}) =>
  articleNamed(slug, {
    ...(place !== null && { canonical_url: `https://elsewhere.example/${place}` }),
    ...more,
  });
const stored = async () => {
  const rows = await database.db.selectFrom("articles").select(["slug", "canonical_url"]).execute();
  return Object.fromEntries(rows.map((row) => [row.slug, row.canonical_url?.split("/").at(-1) ?? null]));
};

describe("a canonical URL", () => {
  test("is refused where a published or scheduled article has it, which is named", async () => {
    await load([article("one", "a"), article("two", "b", { published_at: LATER })]);
    await expect(load([article("three", "a")])).rejects.toThrow(
      'line 1, article "three": Canonical url has already been taken by "one"',
    );
    await expect(load([article("three", "b", { published_at: LATER })])).rejects.toThrow('taken by "two"');
    await expect(load([article("two", "a")])).rejects.toThrow('taken by "one"');
    expect(await stored()).toEqual({ one: "a", two: "b" });
  });

  test("is refused to the second of one file", async () => {
    const file = [article("one", "a"), article("two", "a"), article("three", "b"), article("four", "a")];
    await expect(load(file)).rejects.toThrow('line 2, article "two": Canonical url has already been taken');
    const { bad, created } = await load(file, { skipInvalid: true });
    expect(created).toBe(2);
    expect(bad.map(({ line, reason }) => [line, reason.slice(-14)])).toEqual([
      [2, 'taken by "one"'],
      [4, 'taken by "one"'],
    ]);
    expect(await stored()).toEqual({ one: "a", three: "b" });
  });

  test("stays with the article that has it, even when another names it earlier in the file", async () => {
    await load([article("one", "a")]);
    await expect(load([article("two", "a"), article("one", "a")])).rejects.toThrow('line 1, article "two"');
  });

  test("of a draft or unpublished article may be that of others", async () => {
    const draft = { published: false, published_at: undefined };
    const unpublished = { published: false };
    const file = [
      article("one", "a", draft),
      article("two", "a", unpublished),
      article("three", "a"),
      article("four", "a", draft),
    ];
    expect(await load(file)).toMatchObject({ created: 4 });
    expect(await load(file)).toMatchObject({ unchanged: 4 });
    await expect(load([article("one", "a")])).rejects.toThrow('taken by "three"');
  });

  test("can be taken over from an article that gives it up in the same file, whichever comes first", async () => {
    await load([article("one", "a"), article("two", "b"), article("three", "c")]);
    await load([
      article("new", "c"),
      article("one", "b"),
      article("two", "a"),
      article("three", "c", { published: false }),
    ]);
    expect(await stored()).toEqual({ one: "b", two: "a", three: "c", new: "c" });
  });

  test("is not given up by an article whose record is refused", async () => {
    await load([article("one", "a"), article("two", "b"), article("three", "c")]);
    const file = [article("new", "a"), article("one", "b"), article("other", "c"), article("three", "d")];
    const { bad } = await load(file, { skipInvalid: true });
    expect(bad.map(({ reason }) => reason)).toEqual([
      'article "new": Canonical url has already been taken by "one"',
      'article "one": Canonical url has already been taken by "two"',
    ]);
    expect(await stored()).toEqual({ one: "a", two: "b", three: "d", other: "c" });
  });

  test("is kept apart by the database too", async () => {
    await load([article("one", "a"), article("two", null)]);
    const doubled = database.db
      .updateTable("articles")
      .set({ canonical_url: "https://elsewhere.example/a" })
      .where("slug", "=", "two")
      .execute();
    await expect(doubled).rejects.toThrow("articles_canonical_url");
  });
});
