import { beforeEach, beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";
import type { ArticleRecord } from "../articles/record-columns.ts";
import { verify } from "../../operate/health/invariants.ts";
import { AppError } from "../../platform/errors.ts";
import { reactions } from "../../../test/actors.ts";
import { type Category, removeByUsers } from "./reactions.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

let ada: Awaited<ReturnType<World["user"]>>;
let bob: typeof ada;
let article: Awaited<ReturnType<World["article"]>>;
const world = worldForAll({ now: NOW });
beforeAll(async () => {
  ada = await world.user({ username: "ada" });
  bob = await world.user({ username: "bob" });
});
beforeEach(
  async () =>
    void (article = await world.article(ada, {
      tags: ["wool"],
      imported_reactions_count: 3,
      published_at: "2026-01-02T03:04:05Z",
    })),
);

const rules = { now: NOW, limit: undefined };
const on = (articleId: number, { id: userId }: { id: number } = bob, category: Category = "like") => ({
  userId,
  target: { articleId },
  category,
});
const react = (id: number, who = bob, category: Category = "like") =>
  reactions.react(world.db, on(id, who, category), rules);
const unreact = (id: number, who = bob, category: Category = "like") =>
  reactions.unreact(world.db, on(id, who, category), NOW);

async function shownCount(id: number): Promise<number> {
  const { body } = await world.get(`/api/articles/${id}`);
  return (body as { public_reactions_count: number }).public_reactions_count;
}

const rowsOf = (id: number) =>
  world.db.selectFrom("reactions").selectAll().where("article_id", "=", id).orderBy("id").execute();

async function eventsOf(id: number) {
  const events = await world.db
    .selectFrom("events")
    .select(["type", "payload"])
    .where("type", "like", "reaction_%")
    .orderBy("id")
    .execute();
  return events.filter(({ payload }) => (payload as { article_id?: number }).article_id === id);
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

async function expectTrue(): Promise<void> {
  expect((await verify(world.db)).filter(({ result }) => result !== "ok")).toEqual([]);
}

describe("a reaction", () => {
  test("is new once, counts at once wherever the article is shown, and becomes an event", async () => {
    const path = `/api/articles?tag=wool&username=ada`;
    const countsIn = async (url: string) =>
      ((await world.get(url)).body as { id: number; public_reactions_count: number }[]).find(
        ({ id }) => id === article.id,
      )?.public_reactions_count;
    expect(await countsIn(path)).toBe(3);
    expect([await react(article.id), await react(article.id)]).toEqual([true, false]);
    expect(await react(article.id, bob, "fire")).toBe(true);
    expect([await shownCount(article.id), await countsIn(path)]).toEqual([5, 5]);
    expect(await countsIn(`/api/articles/search?tag=wool&top=100`)).toBe(5);
    expect(await rowsOf(article.id)).toMatchObject([
      { user_id: bob.id, category: "like", status: "valid", created_at: NOW },
      { user_id: bob.id, category: "fire" },
    ]);
    const [like, fire] = await rowsOf(article.id);
    const payload = { user_id: bob.id, article_id: article.id };
    expect(await eventsOf(article.id)).toEqual([
      { type: "reaction_created", payload: { ...payload, reaction_id: like?.id, category: "like" } },
      { type: "reaction_created", payload: { ...payload, reaction_id: fire?.id, category: "fire" } },
    ]);
    await expectTrue();
  });

  test("is taken back once, and is gone from all counts", async () => {
    await react(article.id);
    expect([await unreact(article.id), await unreact(article.id)]).toEqual([true, false]);
    expect([await shownCount(article.id), await rowsOf(article.id)]).toEqual([3, []]);
    const types = (await eventsOf(article.id)).map(({ type }) => type);
    expect(types).toEqual(["reaction_created", "reaction_destroyed"]);
    await expectTrue();
  });

  test("that is taken back may be given again", async () => {
    for (const act of [react, unreact, react]) expect(await act(article.id)).toBe(true);
    expect(await shownCount(article.id)).toBe(4);
    await expectTrue();
  });

  test("may be to one's own article, and a mark on the reading list counts like any other", async () => {
    expect(await react(article.id, ada)).toBe(true);
    expect(await react(article.id, ada, "readinglist")).toBe(true);
    expect(await shownCount(article.id)).toBe(5);
  });

  test("brings an article forward in the lists by popularity and by hotness", async () => {
    const other = await world.article(ada, {
      tags: ["felt"],
      imported_reactions_count: 4,
      published_at: "2026-01-02T03:04:05Z",
    });
    const third = await world.article(ada, { tags: ["felt"], published_at: "2026-01-02T03:04:05Z" });
    const order = async (query: string) =>
      ((await world.get(query)).body as { id: number }[]).map(({ id }) => id);
    for (const { id } of [other, third]) await react(id);
    expect(await order("/api/articles?tag=felt&top=100")).toEqual([other.id, third.id]);
    for (const category of ["fire", "unicorn", "raised_hands", "exploding_head", "readinglist"] as const) {
      await react(third.id, bob, category);
    }
    expect(await order("/api/articles?tag=felt&top=100")).toEqual([third.id, other.id]);
    expect(await order("/api/articles?tag=felt")).toEqual([third.id, other.id]);
    expect(await order("/api/articles/search?tag=felt&top=100")).toEqual([third.id, other.id]);
  });

  test.each<[string, Partial<ArticleRecord>]>([
    ["a draft", { published: false }],
    ["scheduled", { published_at: "2026-04-02T00:00:00Z" }],
    ["unpublished", { published: false, first_published_at: "2026-01-02T03:04:05Z" }],
    ["deleted", {}],
  ])("to what is %s is refused, and nothing has changed", async (kind, fields) => {
    const { id } = await world.article(ada, fields);
    if (kind === "deleted") {
      const key = await world.key(ada);
      await world.request({ method: "DELETE", url: `/api/articles/${id}`, key });
    }
    expect(await codeOf(react(id))).toBe("not_found");
    expect([await rowsOf(id), await eventsOf(id)]).toEqual([[], []]);
    await expectTrue();
  });

  test("to nothing is refused", async () => {
    expect(await codeOf(react(2_000_000_000))).toBe("not_found");
    expect(await codeOf(reactions.react(world.db, { ...on(0), target: { commentId: 9 } }, rules))).toBe(
      "not_found",
    );
  });

  test("of a suspended or unknown person is refused, but earlier ones stay", async () => {
    const sue = await world.user();
    await react(article.id, sue);
    await world.db.updateTable("users").set({ suspended: true }).where("id", "=", sue.id).execute();
    for (const who of [sue, { ...sue, id: 2_000_000_000 }]) {
      expect(await codeOf(react(article.id, who, "fire"))).toBe("unauthorized");
      expect(await codeOf(unreact(article.id, who))).toBe("unauthorized");
    }
    expect(await shownCount(article.id)).toBe(4);
  });

  test("can be taken back from what is published no more, and counts when it is published again", async () => {
    await react(article.id);
    await react(article.id, ada);
    const key = await world.key(ada);
    const publish = (published: boolean) =>
      world.request({
        method: "PUT",
        url: `/api/articles/${article.id}`,
        key,
        body: { article: { published } },
      });
    await publish(false);
    expect(await unreact(article.id)).toBe(true);
    await publish(true);
    expect(await shownCount(article.id)).toBe(4);
    await expectTrue();
  });
});

describe("of new reactions", () => {
  const limited = (articleId: number, who: { id: number }, now = NOW) =>
    reactions.react(world.db, on(articleId, who), { now, limit: 2 });

  test("a limited number passes in half a minute, and an existing one doesn't count", async () => {
    const eve = await world.user();
    const others = [article, await world.article(ada), await world.article(ada)] as const;
    expect(await limited(others[0].id, eve)).toBe(true);
    expect(await limited(others[0].id, eve)).toBe(false);
    expect(await limited(others[1].id, eve)).toBe(true);
    await expect(limited(others[2].id, eve)).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 30,
    });
    expect(await rowsOf(others[2].id)).toEqual([]);
    expect(await limited(others[2].id, eve, new Date(NOW.getTime() + 30_000))).toBe(true);
    await expectTrue();
  });
});

describe("the people who are removed", () => {
  test("leave no reactions, and right counts", async () => {
    const [eve, mal] = [await world.user(), await world.user()];
    for (const who of [eve, mal, bob]) await react(article.id, who);
    await react(article.id, eve, "fire");
    await world.db.transaction().execute((tx) => removeByUsers(tx, [eve.id, mal.id], NOW));
    expect(await rowsOf(article.id)).toMatchObject([{ user_id: bob.id }]);
    expect(await shownCount(article.id)).toBe(4);
    await expectTrue();
  });
});
