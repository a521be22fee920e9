import { expect, test } from "vitest";
import { article, importsInto, user } from "../../../test/community-file.ts";
import { databaseForAll } from "../../../test/own-database.ts";

const database = databaseForAll();
const { load } = importsInto(database);

/** More than one batch. */
const MANY = 450;

const htmlOf = (slug: string) =>
  database.db
    .selectFrom("articles")
    .select("body_html")
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow()
    .then((row) => row.body_html);

test("bodies name the articles and people of all earlier lines, and none of later ones", async () => {
  const others = Array.from({ length: MANY }, (_, number) => article(`plain-${number}`));
  const body_markdown = "@noor and @absent say:\n\n{% link lena/plain-449 %}\n\n{% link lena/late %}";
  await load([
    user("lena"),
    user("noor"),
    ...others,
    article("referring", { body_markdown }),
    article("late"),
    user("absent"),
  ]);
  const html = await htmlOf("referring");
  expect(html).toMatch(/<a [^>]*href="\/noor"/);
  expect(html).not.toMatch(/<a [^>]*href="\/absent"/);
  expect(html).toContain("plain-449</");
  expect(html).not.toContain(">late<");
  await load([article("referring-again", { body_markdown })]);
  expect(await htmlOf("referring-again")).not.toBe(html);
  expect(await htmlOf("referring-again")).toMatch(/<a [^>]*href="\/absent"/);
});

test("search finds the same of a body that was rendered before its turn and of one that wasn't", async () => {
  const given = {
    title: "Felt",
    body_markdown: "---\ntags: felt\n---\nWords, words & words: words. Zebra.",
  };
  await load([user("lena"), article("changed", { title: "Felt" }), article("new", given)]);
  await load([article("changed", given)]);
  const rows = await database.db
    .selectFrom("search_rows")
    .innerJoin("articles", "id", "search_rows.article_id")
    .innerJoin("article_words", "id", "article_words.article_id")
    .select(["search_rows.head", "search_rows.words", "article_words.words as counted"])
    .where("title", "=", "Felt")
    .execute();
  expect(rows).toHaveLength(2);
  expect(rows[0]?.words).toContain("'zebra'");
  expect(rows[0]?.counted).toContain("words");
  expect(rows[0]).toEqual(rows[1]);
});
