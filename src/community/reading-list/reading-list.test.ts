import { beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";
import type { ReadingListItem } from "./schema.ts";
import { readingList } from "../../../test/actors.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const rules = (minutes = 0) => ({ now: new Date(NOW.getTime() + minutes * 60_000), limit: undefined });

let ada: Awaited<ReturnType<World["user"]>>;
const world = worldForAll({ now: NOW });
beforeAll(async () => void (ada = await world.user({ username: "ada" })));

/** A reader with a key and a list. */
async function reader() {
  const person = await world.user();
  const key = await world.key(person);
  return {
    save: (articleId: number, minutes?: number) =>
      readingList.save(world.db, { userId: person.id, articleId }, rules(minutes)),
    unsave: (articleId: number) => readingList.unsave(world.db, { userId: person.id, articleId }, NOW),
    archive: (articleId: number) => readingList.archive(world.db, { userId: person.id, articleId }),
    ask: (query = "", headers: Record<string, string> = {}) =>
      world.get(`/api/readinglist${query}`, { key, headers }),
    async ids(query = "") {
      const { body } = await world.get(`/api/readinglist${query}`, { key });
      return (body as ReadingListItem[]).map(({ article }) => article.id);
    },
  };
}

describe("GET /api/readinglist", () => {
  test("shows the caller's saved articles as lists do, to the caller alone", async () => {
    const { save, ask } = await reader();
    const article = await world.article(ada, { tags: ["wool", "felt"] });
    await save(article.id);
    const { id } = await world.db
      .selectFrom("reactions")
      .select("id")
      .where("article_id", "=", article.id)
      .executeTakeFirstOrThrow();
    const shown = await world.get("/api/articles?tag=felt");
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        type_of: "readinglist",
        id,
        status: "valid",
        created_at: "2026-03-31T12:00:00Z",
        article: (shown.body as unknown[])[0],
      },
    ]);
    expect((body as ReadingListItem[])[0]?.article).toMatchObject({
      tag_list: ["wool", "felt"],
      tags: "wool, felt",
      public_reactions_count: 1,
    });
    expect(headers).toMatchObject({ "cache-control": "private, no-store", vary: "Accept, api-key" });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect((await (await reader()).ask()).body).toEqual([]);
    expect(await world.get("/api/readinglist")).toMatchObject({ status: 401 });
  });

  test("has the last saved first, in pages that name one another", async () => {
    const { save, ids, ask } = await reader();
    const saved = [];
    for (const minutes of [3, 1, 2, 2]) {
      const { id } = await world.article(ada);
      await save(id, minutes);
      saved.push(id);
    }
    const [third, first, second, again] = saved;
    expect(await ids()).toEqual([third, again, second, first]);
    expect(await ids("?per_page=3")).toEqual([third, again, second]);
    expect(await ids("?per_page=3&page=2")).toEqual([first]);
    expect(await ids("?per_page=3&page=3")).toEqual([]);
    expect(await ids("?page=2147483647")).toEqual([]);
    const page = (n: number) => `<https://ink.example/api/readinglist?per_page=2&page=${n}>`;
    expect((await ask("?per_page=2")).headers["link"]).toBe(
      `${page(1)}; rel="first", ${page(2)}; rel="next"`,
    );
    expect((await ask("?per_page=2&page=2")).headers["link"]).toBe(
      `${page(1)}; rel="first", ${page(1)}; rel="prev"`,
    );
  });

  test.each(["per_page=101", "per_page=0", "page=0", "page=1e3", "page=a"])("refuses %s", async (query) => {
    const { status, body } = await (await reader()).ask(`?${query}`);
    expect([status, (body as { error: string }).error]).toEqual([
      422,
      expect.stringMatching(new RegExp(`^${query.split("=")[0]} must be a whole number from 1 to `)),
    ]);
  });

  test("leaves out what is archived until it is saved again, in its old place", async () => {
    const { save, archive, ids } = await reader();
    const [one, two] = [await world.article(ada), await world.article(ada)];
    await save(one.id, 1);
    await save(two.id, 2);
    expect([await archive(one.id), await archive(one.id)]).toEqual([true, false]);
    expect(await ids()).toEqual([two.id]);
    // The mark is still there, and counts.
    expect(await world.get(`/api/articles/${one.id}`)).toMatchObject({ body: { public_reactions_count: 1 } });
    expect([await save(one.id, 9), await save(one.id, 9)]).toEqual([true, false]);
    expect(await ids()).toEqual([two.id, one.id]);
  });

  test("leaves out what isn't saved any more", async () => {
    const { save, unsave, ids } = await reader();
    const { id } = await world.article(ada);
    await save(id);
    expect([await unsave(id), await unsave(id)]).toEqual([true, false]);
    expect(await ids()).toEqual([]);
  });

  test("leaves out what is unpublished or deleted, and shows it again with its publication", async () => {
    const { save, ids } = await reader();
    const key = await world.key(ada);
    const [one, two] = [await world.article(ada), await world.article(ada)];
    await save(one.id, 1);
    await save(two.id, 2);
    const publish = (published: boolean) =>
      world.request({ method: "PUT", url: `/api/articles/${one.id}`, key, body: { article: { published } } });
    await publish(false);
    await world.request({ method: "DELETE", url: `/api/articles/${two.id}`, key });
    expect(await ids()).toEqual([]);
    expect(await ids("?per_page=1")).toEqual([]);
    await publish(true);
    expect(await ids()).toEqual([one.id]);
  });

  test("says what an import said of a mark", async () => {
    const eve = await world.user({ username: "eve" });
    const { slug } = await world.article(ada);
    const mark = { user: "eve", article: slug, category: "readinglist" as const };
    await world.reaction({ ...mark, status: "confirmed", created_at: "2025-01-02T03:04:05.678Z" });
    const { body } = await world.get("/api/readinglist", { key: await world.key(eve) });
    expect(body).toMatchObject([
      {
        status: "confirmed",
        created_at: "2025-01-02T03:04:05Z",
        article: { slug, public_reactions_count: 1 },
      },
    ]);
  });

  test("has the names that clients written for Forem know", async () => {
    const { save, ask } = await reader();
    await save((await world.article(ada)).id);
    const { body, headers } = await ask("", { accept: "application/vnd.forem.api-v1+json" });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(body).toMatchObject([{ article: { user: { twitter_username: null, microblog_username: null } } }]);
    expect((await ask()).text).not.toContain("twitter_username");
  });
});

describe("a reading list", () => {
  test("takes only what its owner can read, and nothing from suspended people", async () => {
    const { save, unsave, archive, ids } = await reader();
    const draft = await world.article(ada, { published: false });
    await expect(save(draft.id)).rejects.toMatchObject({ code: "not_found" });
    const { id } = await world.article(ada);
    await save(id);
    await world.db
      .updateTable("users")
      .set({ suspended: true })
      .where("username", "like", "person_%")
      .execute();
    for (const work of [save, unsave, archive]) {
      await expect(work(id)).rejects.toMatchObject({ code: "unauthorized" });
    }
    await world.db.updateTable("users").set({ suspended: false }).execute();
    expect(await ids()).toEqual([id]);
  });

  test("is a page of as many statements, however long it is", async () => {
    const { save, ask } = await reader();
    for (let n = 0; n < 40; n++) await save((await world.article(ada)).id, n);
    const counts = [];
    for (const perPage of [1, 40]) {
      // The first to ask notes that the key is used.
      await ask(`?per_page=${perPage}`);
      await world.article(ada);
      const page = async () => expect((await ask(`?per_page=${perPage}`)).body).toHaveLength(perPage);
      counts.push(await world.countStatements(page));
    }
    expect(counts[1]).toBe(counts[0]);
    expect(counts[1]).toBeLessThanOrEqual(5);
  });
});

describe("PUT and DELETE /api/readinglist/{article_id}", () => {
  async function saver() {
    const person = await world.user();
    const key = await world.key(person);
    const send = async (method: "PUT" | "DELETE", id: number | string, by = key) =>
      (await world.request({ method, url: `/api/readinglist/${id}`, key: by })).status;
    const ids = async () =>
      ((await world.get("/api/readinglist", { key })).body as ReadingListItem[]).map(
        ({ article }) => article.id,
      );
    const count = async (id: number) =>
      ((await world.get(`/api/articles/${id}`)).body as { public_reactions_count: number })
        .public_reactions_count;
    return { person, send, ids, count };
  }

  test("save and remove an article, once each", async () => {
    const { send, ids, count } = await saver();
    const { id } = await world.article(ada);
    expect([await send("PUT", id), await send("PUT", id)]).toEqual([204, 204]);
    expect([await ids(), await count(id)]).toEqual([[id], 1]);
    expect([await send("DELETE", id), await send("DELETE", id)]).toEqual([204, 204]);
    expect([await ids(), await count(id)]).toEqual([[], 0]);
  });

  test("restore one from the archive, and remove one from there", async () => {
    const { person, send, ids, count } = await saver();
    const { id } = await world.article(ada);
    await send("PUT", id);
    const archive = () => readingList.archive(world.db, { userId: person.id, articleId: id });
    await archive();
    expect(await ids()).toEqual([]);
    expect(await send("PUT", id)).toBe(204);
    expect([await ids(), await count(id)]).toEqual([[id], 1]);
    await archive();
    expect([await send("DELETE", id), await count(id)]).toEqual([204, 0]);
  });

  test("say 404 to what is unknown or not public, but remove what was saved before", async () => {
    const { send, ids } = await saver();
    const { id } = await world.article(ada);
    const { id: draft } = await world.article(ada, { published: false });
    await send("PUT", id);
    await world.db.updateTable("articles").set({ state: "unpublished" }).where("id", "=", id).execute();
    for (const unknown of [draft, 99_999_999, 0, "one", "-1"]) {
      expect([unknown, await send("PUT", unknown), await send("DELETE", unknown)]).toEqual([
        unknown,
        404,
        404,
      ]);
    }
    expect([await send("PUT", id), await send("DELETE", id), await send("DELETE", id)]).toEqual([
      404, 204, 404,
    ]);
    expect(await ids()).toEqual([]);
  });

  test("are refused without a key that may write, and change nothing", async () => {
    const { person, send, ids } = await saver();
    const { id } = await world.article(ada);
    await send("PUT", id);
    const suspended = await world.key(await world.user({ suspended: true }));
    for (const by of ["", "ink_wrong", suspended, await world.key(person, { readOnly: true })]) {
      expect([await send("DELETE", id, by), await send("PUT", id, by)]).toEqual([401, 401]);
    }
    expect(await ids()).toEqual([id]);
  });
});
