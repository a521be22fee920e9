import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { PUBLISHED_COUNT } from "./counting.ts";
import { worldForAll } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as queries from "./writing.ts";

describe("writing at the same moment", () => {
  const keys: string[] = [];
  const world = worldForAll();
  beforeAll(async () => {
    for (let index = 0; index < 100; index++) keys.push(await world.key(await world.user()));
  });

  const create = (key: string | undefined, article: object) =>
    world.request({ method: "POST", url: "/api/articles", key, body: { article } });
  const change = (id: number, article: object, headers: Record<string, string> = {}) =>
    world.request({ method: "PUT", url: `/api/articles/${id}`, key: keys[0], body: { article }, headers });

  test("a hundred people may give an article the same title: a hundred slugs", async () => {
    const article = {
      title: "The same",
      body_markdown: "a",
      published: true,
      tags: ["same", "new"],
      series: "Same",
    };
    const replies = await Promise.all(keys.map((key) => create(key, article)));
    expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(201));
    expect(new Set(replies.map(({ body }) => (body as { slug: string }).slug)).size).toBe(100);
    await expectTrueCounts(100);
  });

  test("a slug that is taken meanwhile gives way to the next, without losing the rest of the change", async () => {
    const article = { body_markdown: "a", published: true };
    const { slug: taken } = (await create(keys[0], { ...article, title: "Taken" })).body as { slug: string };
    const draft = (await create(keys[0], { title: "Draft", body_markdown: "a" })).body as { id: number };
    function* slugs(): Generator<string, never> {
      yield taken;
      for (;;) yield "free-1x";
    }
    await inTransaction(world.db, async (tx) => {
      const change = { title: "Changed" };
      await queries.updateWithSlug(tx, { id: draft.id, change }, slugs());
    });
    const row = await world.db
      .selectFrom("articles")
      .selectAll()
      .where("id", "=", draft.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ slug: "free-1x", title: "Changed" });
    function* more(): Generator<string, never> {
      yield taken;
      for (;;) yield "free-2x";
    }
    const { id: _id, version: _version, public_reactions_count: _count, score: _score, ...copy } = row;
    const id = await queries.insertWithSlug(world.db, copy, more());
    expect(await world.get(`/api/articles/free-2x`, { key: keys[0] as string })).toMatchObject({
      body: { id },
    });
  });

  test("one person who sends the same article a hundred times has written one", async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => create(keys[2], { title: "Pressed twice", body_markdown: "a" })),
    );
    const statuses = replies.map(({ status }) => status).toSorted(ascending);
    expect(statuses).toEqual([201, ...Array(99).fill(422)]);
  });

  test("of sixteen who change the same version, one has done it and the others are told", async () => {
    const { body, headers } = await create(keys[0], {
      title: "Contested",
      body_markdown: "a",
      published: true,
    });
    const { id } = body as { id: number };
    const version = { "if-match": String(headers["etag"]) };
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => change(id, { title: `Version ${index}` }, version)),
    );
    expect(replies.map(({ status }) => status).toSorted(ascending)).toEqual([200, ...Array(15).fill(412)]);
    const winner = replies.find(({ status }) => status === 200);
    expect((await world.get(`/api/articles/${id}`)).body).toEqual(winner?.body);
  });

  test("fifty publish and take back the same articles, and every count is true", async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        const { body } = await create(keys[0], {
          title: `Flip ${index}`,
          body_markdown: "a",
          tags: ["flip"],
        });
        return (body as { id: number }).id;
      }),
    );
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        change(ids[index % 5] as number, {
          published: index % 3 !== 0,
          tags: [`tag${index % 4}`, "flip"],
          series: `Series ${index % 2}`,
        }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await expectTrueCounts();
    const { rows: empty } = await sql`
      select id from collections where not exists (select from articles where collection_id = collections.id)`.execute(
      world.db,
    );
    expect(empty).toEqual([]);
    for (const id of ids) {
      const published = await eventsOf(id, "article_published");
      const unpublished = await eventsOf(id, "article_unpublished");
      const isOut = (await world.get(`/api/articles/${id}`)).status === 200;
      expect(published - unpublished).toBe(isOut ? 1 : 0);
    }
  });

  test("two articles that claim one canonical URL: one has it", async () => {
    const article = { body_markdown: "a", published: true, canonical_url: "https://c.example/race" };
    const replies = await Promise.all(
      keys.slice(0, 20).map((key, index) => create(key, { ...article, title: `Race ${index}` })),
    );
    expect(replies.map(({ status }) => status).toSorted(ascending)).toEqual([201, ...Array(19).fill(422)]);
    const refused = new Set(replies.filter(({ status }) => status === 422).map(({ text }) => text));
    expect(refused).toEqual(new Set(['{"error":"Canonical url has already been taken","status":422}']));
  });

  test("nothing of this was a surprise to the server", () => {
    expect(world.bugs).toEqual([]);
  });

  async function eventsOf(id: number, type: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from events where type = ${type} and (payload ->> 'article_id')::int = ${id}`.execute(
      world.db,
    );
    return rows[0]?.count ?? 0;
  }

  async function expectTrueCounts(published?: number): Promise<void> {
    const { rows } = await sql<{ counted: string; listed: string; states: string; wrong: string }>`
      select ${PUBLISHED_COUNT}::text as counted,
        (select count(*) from published_articles) as listed,
        (select count(*) from articles where state = 'published') as states,
        (select count(*) from tags where articles_count <>
          (select count(*) from article_tags where tag_id = tags.id)) as wrong`.execute(world.db);
    const [row] = rows;
    expect(row).toMatchObject({ listed: row?.counted, states: row?.counted, wrong: "0" });
    if (published !== undefined) expect(row?.counted).toBe(String(published));
  }
});

const ascending = (one: number, other: number) => one - other;
