import type { RawBuilder } from "kysely";
import { expect, test } from "vitest";
import { article, importsInto, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import { INVARIANTS } from "../../search/invariants.ts";

const database = databaseForEach();
const { load } = importsInto(database);

async function faults(): Promise<unknown[]> {
  const found = [];
  for (const { faults: query } of INVARIANTS) {
    found.push(...(await (query as RawBuilder<unknown>).execute(database.db)).rows);
  }
  return found;
}

const others = (count: number) =>
  Array.from({ length: count }, (_, number) =>
    article(`other-${number}`, { imported_reactions_count: number % 7 }),
  );

test("later lines of the first import change and withdraw articles of earlier ones", async () => {
  await load([
    user("lena"),
    article("changed"),
    article("withdrawn"),
    ...others(250),
    article("changed", { title: "Zebras", imported_reactions_count: 3 }),
    article("withdrawn", { published: false }),
  ]);
  const rows = await database.db
    .selectFrom("search_rows")
    .innerJoin("articles", "id", "article_id")
    .select(["slug", "title_key"])
    .where("slug", "in", ["changed", "withdrawn"])
    .execute();
  expect(rows).toEqual([{ slug: "changed", title_key: "zebras" }]);
  expect(await faults()).toEqual([]);
});

test("a failed first import leaves nothing", async () => {
  await expect(load([user("lena"), ...others(300), article("bad", { title: " " })])).rejects.toThrow(
    'line 302, article "bad": Title can\'t be blank',
  );
  expect(await database.db.selectFrom("articles").select("id").execute()).toEqual([]);
});
