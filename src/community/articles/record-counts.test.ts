import { expect, test } from "vitest";
import { article, importsInto, NOW, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";

const database = databaseForEach();
const { load } = importsInto(database);

const MOST = 1_000_000_000;
const reaction = { type: "reaction", user: "lena", article: "loved", category: "like" };

test("the largest counts that a file may bring leave room for what is added to them", async () => {
  const most = {
    imported_reactions_count: MOST,
    imported_page_views_count: MOST,
    score: 2 * MOST,
    published_at: NOW.toISOString(),
  };
  await load([user("lena"), article("loved", most), reaction]);
  const listed = database.db.selectFrom("published_articles").select(["reactions", "score", "hotness"]);
  const [row] = await listed.execute();
  expect(row).toMatchObject({ reactions: MOST + 1, score: 2 * MOST + 1 });
  expect(row?.hotness).toBeGreaterThan(2 * MOST + 1);
});

test.each([
  [{ imported_reactions_count: MOST + 1 }, "imported_reactions_count must be"],
  [{ imported_reactions_count: 2_147_483_647 }, "imported_reactions_count must be"],
  [{ imported_page_views_count: 2_147_483_647 }, "imported_page_views_count must be"],
  [{ score: 2_147_483_647, imported_reactions_count: MOST }, "score must be"],
  [{ score: MOST + 1 }, "score must be within 1000000000 of imported_reactions_count, not 1000000001"],
  [{ score: -MOST, imported_reactions_count: 1 }, "score must be within 1000000000 of"],
])("%j is refused in words", async (fields, sentence) => {
  await expect(load([user("lena"), article("loved", fields), reaction])).rejects.toThrow(sentence);
});
