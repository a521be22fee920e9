import { beforeAll, expect, test } from "vitest";
import { article, importsInto, user } from "../../../test/community-file.ts";
import { databaseForAll } from "../../../test/own-database.ts";

const database = databaseForAll();
const { load } = importsInto(database);
beforeAll(async () => void (await load([user("noor"), article("one", { author: "noor" })])));

const reaction = (more: object) => ({ type: "reaction", user: "noor", category: "like", ...more });

test.each([
  [{ user: "ghost", article: "one" }, 'user "ghost" is not one of the site or of an earlier line'],
  [{ article: "none" }, 'article "none" is not one of the site or of an earlier line'],
  [{ comment: "none" }, 'comment "none" is not one of the site or of an earlier line'],
  [{ comment: "9" }, 'comment "9" is not one of the site or of an earlier line'],
  [{}, "it must name either an article or a comment"],
  [{ article: "one", comment: "1" }, "it must name either an article or a comment"],
  [{ comment: "1", category: "readinglist" }, "a comment can't stand on a reading list"],
  [{ article: "one", status: "archived" }, 'only a reaction of the category "readinglist" has a status'],
  [
    { article: "one", category: "vomit" },
    'category must be one of like, unicorn, exploding_head, raised_hands, fire, readinglist, not "vomit"',
  ],
  [{ article: "one", status: "gone" }, "status must be one of valid, invalid, confirmed, archived"],
  [{ article: "one", points: 3 }, "points is not a known key"],
])("%j is refused in words, and nothing is kept", async (fields, sentence) => {
  await expect(load([reaction({ article: "one" }), reaction(fields)])).rejects.toThrow(sentence);
  expect(await database.db.selectFrom("reactions").selectAll().execute()).toEqual([]);
  const { reactions_count } = await database.db
    .selectFrom("articles")
    .select("reactions_count")
    .executeTakeFirstOrThrow();
  expect(reactions_count).toBe(0);
});
