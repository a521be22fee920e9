import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { databaseForAll } from "../../../test/own-database.ts";
import type { Db } from "../../platform/db/connect.ts";
import { listQuery } from "./queries.ts";

const database = databaseForAll();

beforeAll(() => fill(database.superuser, 60_000));

/** This many articles, all saved, every tenth unpublished; the first person has saved 300. */
async function fill(db: Db, count: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Checks of foreign keys would take most of the time.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into handles select 'person_' || n, 'user' from generate_series(1, 20) as n`.execute(tx);
    await sql`insert into users (id, username, name)
      select n, 'person_' || n, 'A' from generate_series(1, 20) as n`.execute(tx);
    await sql`insert into articles
      (id, author_id, slug, title, description, body_markdown, body_html, renderer_version, state, published_at)
      select n, 1, 'a-' || n, 'A', '', '', '', 1, case when n % 10 = 0 then 'unpublished' else 'published' end, now()
      from generate_series(1, ${count}::int) as n`.execute(tx);
    await sql`insert into published_articles
      (article_id, author_id, published_at, fresh_from, reactions, score, hotness, version)
      select id, author_id, published_at, published_at, 0, 0, 0, version from articles where state = 'published'`.execute(
      tx,
    );
    await sql`insert into reactions (user_id, article_id, category, status, created_at)
      select person, n, 'readinglist', case when n % 7 = 0 then 'archived' else 'valid' end,
        now() - n * 7919 % ${count}::int * interval '1 minute'
      from generate_series(1, ${count}::int) as n
      cross join lateral (values (1), (2 + n % 19)) as savers (person)
      where person <> 1 or n % (${count}::int / 300) = 1`.execute(tx);
  });
  await sql`analyze`.execute(db);
}

/** Pages that PostgreSQL looks at: a measure that no busy computer changes. */
async function pagesRead(db: Db, part: { limit: number; offset: number }): Promise<number> {
  const query = listQuery({ userId: 1, now: new Date(), ...part });
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>`
    explain (analyze, buffers, format json) ${query}`.execute(db);
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  return (plan?.["Shared Hit Blocks"] ?? NaN) + (plan?.["Shared Read Blocks"] ?? NaN);
}

/** Enough to find a mark, whether its article is published, and its version: each through an index. */
const PAGES_A_MARK = 8;

test.each([
  ["first", { limit: 31, offset: 0 }],
  ["largest", { limit: 101, offset: 0 }],
  ["last", { limit: 31, offset: 200 }],
])("the %s page reads nothing but its own marks and those before it", async (_, part) => {
  const { rows } = await listQuery({ userId: 1, now: new Date(), ...part }).execute(database.db);
  expect(rows.length).toBeGreaterThan(20);
  // One in ten is of an article that isn't published.
  const marks = 1.2 * (part.limit + part.offset);
  expect(await pagesRead(database.db, part)).toBeLessThan(PAGES_A_MARK * marks);
});
