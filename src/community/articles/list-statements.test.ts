import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import type { ListCut } from "./lists/shape.ts";
import { listQuery } from "./lists/query.ts";

const world = worldForAll();
beforeAll(async () => {
  await world.user({ username: "ada" });
  const record = (n: number) => ({
    author: "ada",
    title: `Part ${n}`,
    slug: `part-${n}`,
    body_markdown: "x",
    tags: [`tag${n % 20}`],
  });
  await world.articles(Array.from({ length: 400 }, (_, n) => record(n)));
});

/** The lists that the connection with most of them has prepared, and how often it planned each for its values. */
async function prepared(): Promise<{ custom: number; generic: number }[]> {
  const clients = await Promise.all(Array.from({ length: 4 }, () => world.pool.connect()));
  const lists = await Promise.all(
    clients.map((client) =>
      client.query<{ custom: number; generic: number }>(`
        select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
        where name like 'ink_%' and statement like '%as ids%'`),
    ),
  );
  for (const client of clients) client.release();
  const [most] = lists.map(({ rows }) => rows).toSorted((one, other) => other.length - one.length);
  return most ?? [];
}

describe("the statement of a list", () => {
  test.each([
    ["per_page", (n: number) => `/api/articles?per_page=${n + 1}`],
    ["page", (n: number) => `/api/articles/latest?per_page=5&page=${n + 1}`],
    ["tag", (n: number) => `/api/articles?tag=tag${n}`],
    ["top", (n: number) => `/api/articles?top=${n + 1_000}`],
    ["top of few weeks", (n: number) => `/api/articles?top=${n + 1}`],
    ["top of a tag", (n: number) => `/api/articles?tag=tag${n}&top=${n + 1}`],
  ])("is prepared once for all values of %s, and planned once", async (_, pathOf) => {
    const before = await prepared();
    for (let n = 0; n < 20; n++) expect(await world.get(pathOf(n))).toMatchObject({ status: 200 });
    const after = await prepared();
    expect(after.length - before.length).toBe(1);
    // PostgreSQL plans the first five for their values before it compares.
    for (const { custom } of after) expect(custom).toBeLessThanOrEqual(5);
  });

  test("isn't prepared for filters that are rarely combined", async () => {
    const before = await prepared();
    for (const query of [
      "tags_exclude=tag1&username=ada",
      "state=fresh&tag=tag2",
      "collection_id=1&top=3&tag=tag3",
    ]) {
      expect(await world.get(`/api/articles?${query}`)).toMatchObject({ status: 200 });
    }
    expect(await prepared()).toHaveLength(before.length);
  });

  const SINCE = new Date(Date.now() - 20 * 86_400_000);
  test.each<Partial<ListCut>>([
    {},
    { offset: 1_000 },
    { tag: "tag1" },
    { order: "newest", authorId: 1 },
    { order: "reactions", publishedAfter: SINCE },
    { order: "reactions", anyTagIds: [1, 2], noTagIds: [3] },
    { hasVideo: true, scoreAbove: -4 },
    { order: "oldest", collectionId: 1, after: { published_at: SINCE, article_id: 7, value: 0 } },
  ])("reads no whole article: %o", async (filter) => {
    const query = listQuery({ order: "hotness", limit: 61, offset: 0, now: new Date(), ...filter });
    const { rows } = await sql`explain (format json) ${query}`.execute(world.db);
    const tables = [...JSON.stringify(rows).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name);
    expect(tables).not.toContain("articles");
    expect(tables.length).toBeGreaterThan(0);
  });
});
