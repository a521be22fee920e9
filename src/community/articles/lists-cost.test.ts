import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { databaseForAll, type OwnDatabase } from "../../../test/own-database.ts";
import { startWorld } from "../../../test/world.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { ListCut } from "./lists/shape.ts";
import { listQuery } from "./lists/query.ts";

test("a page of a hundred costs no more statements than a page of one", async () => {
  const world = await startWorld();
  await world.user({ username: "ada" });
  const record = (n: number) => ({
    author: "ada",
    title: `Part ${n}`,
    slug: `part-${n}`,
    body_markdown: "x",
    tags: ["many"],
  });
  await world.articles(Array.from({ length: 100 }, (_, n) => record(n)));
  for (const path of [
    "/api/articles?",
    "/api/articles?tag=many&",
    "/api/articles/search?q=part&",
    "/api/tags?",
  ]) {
    const counts = [];
    for (const perPage of [1, 100]) {
      const ask = async () => {
        const { body } = await world.get(`${path}per_page=${perPage}`);
        expect((body as unknown[]).length).toBe(path.startsWith("/api/tags") ? 1 : perPage);
      };
      counts.push(await world.countStatements(ask));
    }
    expect(counts[1]).toBeLessThanOrEqual(4);
    expect(counts[1]).toBeLessThanOrEqual(counts[0] as number);
  }
  await world.stop();
});

test("an offset past 100,000 that could still hold articles is refused and points to the next link", async () => {
  const world = await startWorld();
  await world.db.insertInto("published_counts").values({ delta: 1_000_000 }).execute();
  const { status, body } = await world.get("/api/articles?page=200&per_page=1000");
  expect(status).toBe(422);
  expect((body as { error: string }).error).toContain("follow the next link");
  await world.stop();
});

test("an empty community has empty lists", async () => {
  const world = await startWorld();
  for (const path of ["/api/articles", "/api/articles/latest", "/api/articles/search", "/api/tags"]) {
    expect(await world.get(path)).toMatchObject({ status: 200, body: [] });
  }
  await world.stop();
});

describe("a list of ten times as many articles", () => {
  const NOW = new Date("2026-03-31T12:00:00Z");
  const few = databaseForAll();
  const many = databaseForAll();
  const COMMON = 1;
  const USUAL = [2, 3];
  const RARE = 4;

  beforeAll(async () => {
    await fill(few, 1_500);
    await fill(many, 15_000);
  });

  async function fill({ db, superuser }: OwnDatabase, count: number): Promise<void> {
    await db.transaction().execute((tx) => insert(tx, count));
    // A look at the rows by the database's own housekeeping makes a vacuum leave them alone.
    while (!(await isVacuumed(db))) {
      await sql`vacuum analyze articles, published_articles, article_tags`.execute(superuser);
    }
  }

  async function isVacuumed(db: Db): Promise<boolean> {
    const { rows } = await sql<{ done: boolean }>`
      select bool_and(relallvisible > 0 and relallvisible = relpages) as done from pg_class
      where oid in ('articles'::regclass, 'published_articles'::regclass, 'article_tags'::regclass)`.execute(
      db,
    );
    return rows[0]?.done === true;
  }

  /** Articles of one year, those of its first half more popular than the others. The tags are on every second, every 20th, every 21st, and on 30 of them. */
  async function insert(tx: Db, count: number): Promise<void> {
    // Vacuum leaves alone what isn't known to be on the disk.
    await sql`set local synchronous_commit = on`.execute(tx);
    await sql`insert into handles values ('ada', 'user'), ('bo', 'user')`.execute(tx);
    await sql`insert into users (id, username, name) values (1, 'ada', 'Ada'), (2, 'bo', 'Bo')`.execute(tx);
    await sql`insert into tags (id, name) select n, 'tag' || n from generate_series(1, 4) as n`.execute(tx);
    await sql`insert into articles
      (id, author_id, slug, title, description, body_markdown, body_html, renderer_version, state, published_at)
      select n, case when n % 10 = 0 then 2 else 1 end, 'a-' || n, 'A', '', '', '', 1, 'published',
        ${NOW}::timestamptz - (n * interval '1 year' / ${count}::int)
      from generate_series(1, ${count}::int) as n`.execute(tx);
    await sql`insert into published_articles
      (article_id, author_id, published_at, fresh_from, reactions, score, hotness, version)
      select id, author_id, published_at, published_at, n, n, n, version
      from articles, lateral (
        select (id * 7919 % 1000) ^ 2 / 1000 + case when id > ${count}::int / 2 then 1000 else 0 end as n
      ) as popularity`.execute(tx);
    await sql`insert into article_tags (tag_id, article_id, published_at, reactions, hotness)
      select tag, article_id, published_at, reactions, hotness from published_articles
      join (values (1, 2), (2, 20), (3, 21), (4, ${count}::int / 30)) as every (tag, nth)
        on article_id % nth = 0`.execute(tx);
  }

  /** Pages that PostgreSQL looks at: a measure that no busy computer changes. */
  async function pagesRead(db: Db, filter: Partial<ListCut>): Promise<number> {
    const query = listQuery({ order: "hotness", limit: 11, offset: 0, now: NOW, ...filter });
    const { rows } = await sql<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>`
      explain (analyze, buffers, format json) ${query}`.execute(db);
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    return (plan?.["Shared Hit Blocks"] ?? NaN) + (plan?.["Shared Read Blocks"] ?? NaN);
  }

  const after = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000);
  const top = (days: number) => ({ order: "reactions", publishedAfter: after(days) }) as const;

  test.each<[string, Partial<ListCut>]>([
    ["the hottest", {}],
    ["the newest", { order: "newest" }],
    ["of a common tag", { tag: "tag1" }],
    ["of a rare tag", { tag: "tag4" }],
    ["of an author", { order: "newest", authorId: 2 }],
    ["the most popular of 7 days", top(7)],
    ["the most popular of 30 days", top(30)],
    ["the most popular of 90 days", top(90)],
    ["the most popular of 364 days", top(364)],
    ["the most popular of 30 days and of a common tag", { tag: "tag1", ...top(30) }],
    ["the most popular of 60 days within bounds", { ...top(60), reactions: { from: 20, to: 320 } }],
    ["of any of some tags", { order: "reactions", anyTagIds: USUAL }],
    ["of any of a rare tag and others", { order: "reactions", anyTagIds: [RARE, ...USUAL] }],
    ["of none of some tags", { order: "reactions", noTagIds: USUAL }],
    [
      "of any of some tags and not another",
      { order: "reactions", anyTagIds: [COMMON, RARE], noTagIds: USUAL },
    ],
    [
      "deep behind a cursor",
      { order: "newest", after: { published_at: after(300), article_id: 1, value: 0 } },
    ],
  ])("reads at most twice as much: %s", async (_, filter) => {
    const small = await pagesRead(few.db, filter);
    expect(await pagesRead(many.db, filter)).toBeLessThanOrEqual(2 * small);
  });
});
