import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { connect, type Db } from "../platform/db/connect.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { connectionTo } from "../../test/database.ts";
import { databaseForEach } from "../../test/own-database.ts";
import { write } from "./rows.ts";
import { addUpChanges } from "./vocabulary.ts";

const database = databaseForEach();

/** Published articles with these ids; for search it matters only that they are there. */
async function publish(ids: readonly number[]): Promise<void> {
  await sql`insert into handles values ('ada', 'user') on conflict do nothing`.execute(database.db);
  await sql`insert into users (id, username, name) values (1, 'ada', 'Ada') on conflict do nothing`.execute(
    database.db,
  );
  await sql`
    with made as (
      insert into articles
        (id, author_id, slug, title, description, body_markdown, body_html, renderer_version, state, published_at)
      select id, 1, 'a-' || id, 'A', '', '', '', 1, 'published', now() from unnest(${ids}::int[]) as id
      returning id, version
    )
    insert into published_articles
      (article_id, author_id, published_at, fresh_from, reactions, score, hotness, version)
    select id, 1, now(), now(), 0, 0, 0, version from made`.execute(database.db);
}

/** Articles are made of nothing but the words that they contribute. */
function writeWords(db: Db, rows: readonly { article_id: number; words: string[] }[]): Promise<void> {
  const head = {
    title: "",
    tags: [],
    names: [],
    description: "",
    publishedAt: new Date(),
    reactions: 0,
    tagIds: [],
  };
  const body = { vector: "", language: "simple", version: 0 } as const;
  return write(
    db,
    rows.map(({ article_id: id, words }) => ({ ...head, id, body: { ...body, words } })),
  );
}

async function vocabulary(): Promise<Record<string, number>> {
  const { rows } = await sql<{ word: string; articles_count: number }>`
    select word, articles_count from search_words where articles_count > 0`.execute(database.db);
  return Object.fromEntries(rows.map((row) => [row.word, row.articles_count]));
}

/** The expected vocabulary, counted from the articles. */
async function recount(): Promise<Record<string, number>> {
  const { rows } = await sql<{ word: string; count: number }>`
    select word, count(*)::int from article_words, unnest(words) as word group by word`.execute(database.db);
  return Object.fromEntries(rows.map((row) => [row.word, row.count]));
}

describe("the vocabulary", () => {
  test("counts the articles that have a word, not how often they have it", async () => {
    await publish([1, 2]);
    await writeWords(database.db, [
      { article_id: 1, words: ["growing", "tomatoes", "tomatoes"] },
      { article_id: 2, words: ["tomatoes"] },
    ]);
    await addUpChanges(database.db);
    expect(await vocabulary()).toEqual({ growing: 1, tomatoes: 2 });
  });

  test("follows an article that changes its words", async () => {
    await publish([1, 2]);
    await writeWords(database.db, [
      { article_id: 1, words: ["growing", "tomatoes"] },
      { article_id: 2, words: ["tomatoes"] },
    ]);
    await addUpChanges(database.db);
    await writeWords(database.db, [{ article_id: 1, words: ["eating", "tomatoes"] }]);
    await addUpChanges(database.db);
    expect(await vocabulary()).toEqual({ eating: 1, tomatoes: 2 });
  });

  test("notes only what changes", async () => {
    await publish([1]);
    await writeWords(database.db, [{ article_id: 1, words: ["growing", "tomatoes"] }]);
    expect(await addUpChanges(database.db)).toBe(1);
    await writeWords(database.db, [{ article_id: 1, words: ["tomatoes", "growing"] }]);
    expect(await addUpChanges(database.db)).toBe(0);
    await writeWords(database.db, [{ article_id: 1, words: ["growing"] }]);
    expect(await addUpChanges(database.db)).toBe(1);
  });

  test.each(["published_articles", "articles", "users"])(
    "forgets the words that go with rows of %s",
    async (table) => {
      await publish([1, 2, 3]);
      await writeWords(
        database.db,
        [1, 2, 3].map((article_id) => ({ article_id, words: ["tomatoes", `only${article_id}`] })),
      );
      await addUpChanges(database.db);
      if (table === "users") await sql`delete from users`.execute(database.db);
      else {
        const id = table === "articles" ? "id" : "article_id";
        await sql`delete from ${sql.table(table)} where ${sql.ref(id)} < 3`.execute(database.db);
      }
      await addUpChanges(database.db);
      expect(await vocabulary()).toEqual(table === "users" ? {} : { tomatoes: 1, only3: 1 });
    },
  );

  test("never sees the words of a transaction that fails", async () => {
    await publish([1]);
    const failing = inTransaction(database.db, async (tx) => {
      await writeWords(tx, [{ article_id: 1, words: ["tomatoes"] }]);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await addUpChanges(database.db)).toBe(0);
    expect(await vocabulary()).toEqual({});
  });

  test("leaves the work to the process that is at it, and loses none of it", async () => {
    await publish([1]);
    await writeWords(database.db, [{ article_id: 1, words: ["tomatoes"] }]);
    await inTransaction(database.db, async (tx) => {
      expect(await addUpChanges(tx)).toBe(1);
      expect(await addUpChanges(database.db)).toBe(0);
    });
    expect(await vocabulary()).toEqual({ tomatoes: 1 });
  });

  test("keeps its changes when the process that sums them up dies", async () => {
    await publish([1]);
    await writeWords(database.db, [{ article_id: 1, words: ["tomatoes"] }]);
    const dying = inTransaction(database.db, async (tx) => {
      await addUpChanges(tx);
      throw new Error("killed");
    });
    await expect(dying).rejects.toThrow("killed");
    expect(await addUpChanges(database.db)).toBe(1);
    expect(await vocabulary()).toEqual({ tomatoes: 1 });
  });

  test("takes more changes than one batch holds", async () => {
    const ids = Array.from({ length: 250 }, (_, number) => number + 1);
    await publish(ids);
    const wordsOf = (id: number) => [
      "tomatoes",
      ...[id, id % 7].map((number) => `word${number.toString(36)}x`),
    ];
    await writeWords(
      database.db,
      ids.map((id) => ({ article_id: id, words: wordsOf(id) })),
    );
    expect(await addUpChanges(database.db)).toBe(ids.length);
    expect(await vocabulary()).toEqual(await recount());
  });
});

describe("twenty writers at once", () => {
  const opened: ReturnType<typeof connect>[] = [];
  afterAll(() => Promise.all(opened.map(({ db }) => db.destroy())));

  function pool(poolSize: number) {
    const connection = connect({ connection: connectionTo(database.name), poolSize });
    opened.push(connection);
    return connection.db;
  }

  test("don't wait for one another's words", async () => {
    await publish([1, 2]);
    const db = pool(2);
    await inTransaction(db, async (tx) => {
      await writeWords(tx, [{ article_id: 1, words: ["tomatoes"] }]);
      await inTransaction(db, async (other) => {
        await sql`set local lock_timeout = '1s'`.execute(other);
        await writeWords(other, [{ article_id: 2, words: ["tomatoes"] }]);
        await addUpChanges(other);
      });
    });
    await addUpChanges(db);
    expect(await vocabulary()).toEqual({ tomatoes: 2 });
  });

  test("and three that sum up leave the vocabulary as a recount makes it", async () => {
    const ids = Array.from({ length: 100 }, (_, at) => at + 1);
    await publish(ids);
    const db = pool(23);
    const rowOf = (article_id: number, round: number) => ({
      article_id,
      words: Array.from({ length: 8 }, (_, at) => `word${"abcdefghijk"[(article_id * at + round * 3) % 11]}`),
    });
    await writeWords(
      db,
      ids.map((id) => rowOf(id, 0)),
    );
    const writing = new AbortController();
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let round = 0; round < 15; round++) {
        // Writers share forty articles and all words; the others each of them removes for good.
        const shared = [0, 1, 2].map((step) => ((writer * 2 + step * 7 + round) % 40) + 1);
        await inTransaction(db, (tx) =>
          writeWords(
            tx,
            shared.map((id) => rowOf(id, round)),
          ),
        );
        if (round % 5 !== 4) continue;
        const own = 41 + writer * 3 + (round - 4) / 5;
        await sql`delete from published_articles where article_id = ${own}`.execute(db);
        await sql`delete from article_words where article_id = ${shared[0]}`.execute(db);
      }
    });
    const folders = Array.from({ length: 3 }, async () => {
      while (!writing.signal.aborted) await addUpChanges(db);
    });
    await Promise.all(writers).finally(() => writing.abort());
    await Promise.all(folders);
    await addUpChanges(db);

    const counts = await recount();
    expect(Object.keys(counts).length).toBeGreaterThan(5);
    expect(await vocabulary()).toEqual(counts);
  });
});
