import { sql } from "kysely";
import { expect, test } from "vitest";
import { article, importsInto, user } from "../../test/community-file.ts";
import { databaseForAll } from "../../test/own-database.ts";

const database = databaseForAll();
const { load } = importsInto(database);

test("the first import of a large community leaves no empty pages in the first tier of search", async () => {
  const words = Array.from({ length: 16 }, (_, index) => `word${index}`).join(" ");
  const articles = Array.from({ length: 4_100 }, (_, index) =>
    article(`long-${index}`, { title: `${words} ${index}`, body_markdown: "Common words." }),
  );
  await load([user("lena"), ...articles]);
  const { rows } = await sql<{ spread: number }>`
    select pg_relation_size('article_search_0')
      / sum(pg_column_size(head) + pg_column_size(title_key) + 100)::float8 as spread
    from article_search_0`.execute(database.db);
  // With the pages that the import left, it is 8.
  expect(rows[0]?.spread).toBeLessThan(4);
});
