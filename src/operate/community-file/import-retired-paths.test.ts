import { beforeAll, describe, expect, test } from "vitest";
import { article, importsInto, user } from "../../../test/community-file.ts";
import { databaseForAll } from "../../../test/own-database.ts";

const database = databaseForAll();
const { load } = importsInto(database);
beforeAll(async () => void (await load([user("lena"), article("one"), article("two")])));

const retired = (path: string, article: string) => ({ type: "retired_path", path, article });
const stored = async () => {
  const rows = await database.db
    .selectFrom("retired_paths")
    .innerJoin("articles", "articles.id", "retired_paths.article_id")
    .select(["path", "slug"])
    .orderBy("path")
    .execute();
  return rows.map(({ path, slug }) => [path, slug]);
};

describe("a retired path in a community file", () => {
  test("is stored in lower case, once, and belongs to the article named last", async () => {
    expect(await load([retired("/Old/One", "one"), retired("/older/one", "one")])).toMatchObject({
      created: 2,
    });
    expect(await load([retired("/old/one", "one")])).toMatchObject({ created: 0, unchanged: 1 });
    expect(await load([retired("/older/one", "two")])).toMatchObject({ updated: 1 });
    expect(await stored()).toEqual([
      ["/old/one", "one"],
      ["/older/one", "two"],
    ]);
  });

  test("may be of another site, in any form", async () => {
    const paths = ["/2019/05/one.html", "/one", "/%e3%81%82/one"];
    expect(await load(paths.map((path) => retired(path, "one")))).toMatchObject({ created: 3 });
    expect(await stored()).toEqual(expect.arrayContaining(paths.map((path) => [path, "one"])));
  });

  test("changes nothing where its article is found now", async () => {
    const before = await stored();
    expect(await load([retired("/lena/two", "two")])).toMatchObject({ unchanged: 1 });
    expect(await stored()).toEqual(before);
  });

  test.each([
    [retired("/lena/two", "one"), 'path is where the article "two" is found now: leave the record out'],
    [retired("/old/none", "none"), 'article "none" is not one of the site or of an earlier line'],
    [retired("old/one", "one"), "path must be a path such as /lena/growing-tomatoes"],
    [retired("/old/one/", "one"), "path must be a path such as /lena/growing-tomatoes"],
    [retired("/?p=12", "one"), "path must be a path such as /lena/growing-tomatoes"],
    [retired("/älter", "one"), "path must be a path such as /lena/growing-tomatoes"],
    [retired(`/old/${"x".repeat(1_000)}`, "one"), "path is too long"],
  ])("%j is refused, and nothing is kept", async (record, sentence) => {
    const before = await stored();
    await expect(load([retired("/new/one", "one"), record])).rejects.toThrow(sentence);
    expect(await stored()).toEqual(before);
  });
});
