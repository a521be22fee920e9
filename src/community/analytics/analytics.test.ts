import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";
import { addUpChanges, purge } from "./roll-up.ts";
import type { Referrers, Totals } from "./routes.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const LEAST = { comments: 0, follows: 0, reactions: [0, 0, 0], page_views: [0, 0, 0] };

let ada: Awaited<ReturnType<World["user"]>>;
let key: string;
let lab: number;
const world = worldForAll({ now: NOW });
beforeAll(async () => {
  ada = await world.user({ username: "ada" });
  key = await world.key(ada);
  for (const username of ["ben", "cy"]) await world.user({ username });
  const members = [{ username: "ada", role: "member" }];
  lab = (await world.organization({ username: "lab", members })).id;
});

const ask = (path: string, by: string | undefined = key) => world.get(`/api/analytics/${path}`, { key: by });

/** Figures in few words. */
function brief({ comments, follows, reactions, page_views }: Totals) {
  return {
    comments: comments.total,
    follows: follows.total,
    reactions: [reactions.total, reactions.like, reactions.readinglist],
    page_views: [
      page_views.total,
      page_views.average_read_time_in_seconds,
      page_views.total_read_time_in_seconds,
    ],
  };
}

/** An author with a key and an article with figures of two days. */
async function author() {
  const person = await world.user();
  const article = await world.article(person, { published_at: "2026-01-01T00:00:00Z" });
  const own = await world.key(person);
  const at = { article: article.slug };
  await world.pageViews(
    { ...at, on: "2026-03-30", count: 20, referrer: "https://news.example/item" },
    { ...at, on: "2026-03-31", count: 3 },
    { ...at, on: "2026-03-31", user: "ben", count: 2, read_time_seconds: 50, referrer: "news.example" },
    { ...at, on: "2026-03-31", user: "cy", read_time_seconds: 10 },
  );
  const made = { created_at: "2026-03-30T23:59:59Z" };
  await world.reaction({ ...at, ...made, user: "ben", category: "like" });
  await world.reaction({ ...at, ...made, user: "ben", category: "unicorn" });
  await world.reaction({ ...at, user: "cy", category: "readinglist" });
  await world.comment({ username: "ben" }, { ...at, ...made });
  await world.comment({ username: "ben" }, { ...at, ...made, score: 0 });
  await world.comment({ username: "ben" }, { ...at, deleted: true });
  await world.follow({ user: "ben", followed_user: person.username, ...made });
  return { person, article, key: own };
}

describe("GET /api/analytics/totals", () => {
  test("sums up what became of the caller's articles, whether it is folded or not", async () => {
    const { key: own, article } = await author();
    const expected = {
      comments: { total: 1 },
      follows: { total: 1 },
      reactions: { total: 3, like: 1, readinglist: 1 },
      page_views: { total: 26, average_read_time_in_seconds: 37, total_read_time_in_seconds: 962 },
    };
    const { status, body, text, headers } = await ask("totals", own);
    expect({ status, body }).toEqual({ status: 200, body: expected });
    expect(text).toBe(JSON.stringify(expected));
    expect(headers).toMatchObject({ "cache-control": "private, no-store" });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    await addUpChanges(world.db);
    expect((await ask("totals", own)).body).toEqual(expected);
    expect((await ask(`totals?article_id=${article.id}`, own)).body).toEqual(expected);
  });

  test("is all zeros for who has published nothing, and counts nothing that was brought along as a number", async () => {
    const person = await world.user();
    await world.article(person, { imported_page_views_count: 9, imported_reactions_count: 9 });
    const { body } = await ask("totals", await world.key(person));
    expect(brief(body as Totals)).toEqual(LEAST);
  });

  test("counts published articles only, and those again that are published again", async () => {
    const { key: own, article } = await author();
    await addUpChanges(world.db);
    const views = async () => brief((await ask("totals", own)).body as Totals).page_views[0];
    const write = (method: string, path: string, body?: object) =>
      world.request({ method, url: `/api/articles/${article.id}${path}`, key: own, body });
    expect(await views()).toBe(26);
    await write("PUT", "/unpublish");
    expect(await views()).toBe(0);
    await addUpChanges(world.db);
    expect(await views()).toBe(0);
    await write("PUT", "", { article: { published: true } });
    expect(await views()).toBe(26);
    await addUpChanges(world.db);
    await write("DELETE", "");
    expect(await views()).toBe(0);
    await world.db.deleteFrom("articles").where("id", "=", article.id).execute();
    await addUpChanges(world.db);
    await purge(world.db);
    const left =
      await sql`select from analytics_days where kind = 'article' and subject_id = ${article.id}`.execute(
        world.db,
      );
    expect(left.rows).toEqual([]);
  });

  test("of an organization are for its members", async () => {
    const article = await world.article(ada, { organization: "lab" });
    await world.pageViews({ article: article.slug, on: "2026-03-01", count: 5 });
    await world.follow({ user: "ben", organization: "lab" });
    const { body } = await ask(`totals?organization_id=${lab}`);
    expect(brief(body as Totals)).toEqual({ ...LEAST, follows: 1, page_views: [5, 0, 0] });
    expect((await ask(`totals?organization_id=${lab}&article_id=${article.id}`)).body).toEqual(body);
  });
});

describe("GET /api/analytics/historical", () => {
  test("has every day of the range with its figures", async () => {
    const { key: own, article } = await author();
    const { body, status } = await ask("historical?start=2026-3-29", own);
    expect(status).toBe(200);
    const days = Object.entries(body as Record<string, Totals>);
    expect(days.map(([day, figures]) => [day, brief(figures)])).toEqual([
      ["2026-03-29", LEAST],
      ["2026-03-30", { comments: 1, follows: 1, reactions: [2, 1, 0], page_views: [20, 0, 0] }],
      ["2026-03-31", { comments: 0, follows: 0, reactions: [1, 0, 1], page_views: [6, 37, 222] }],
    ]);
    const past = await ask("past_day", own);
    expect(Object.entries(past.body as object)).toEqual(days.slice(1));
    await addUpChanges(world.db);
    const one = await ask(`historical?start=2026-03-30&end=2026-3-31&article_id=${article.id}`, own);
    expect(Object.entries(one.body as object)).toEqual(days.slice(1));
  });

  test("goes over years, also those that have a 29 February", async () => {
    const { body } = await ask("historical?start=2016-03-24&end=2026-03-31");
    const days = Object.keys(body as object);
    expect([days.length, days[0], days.at(-1)]).toEqual([3660, "2016-03-24", "2026-03-31"]);
    expect(days).toContain("2024-02-29");
  });
});

describe("GET /api/analytics/referrers", () => {
  test("has those with the most views first, of all time and of a range", async () => {
    const { key: own, article } = await author();
    const all = {
      domains: [
        { domain: "news.example", count: 22 },
        { domain: null, count: 4 },
      ],
    };
    const ofLastDay = {
      domains: [
        { domain: null, count: 4 },
        { domain: "news.example", count: 2 },
      ],
    };
    for (const fold of [false, true]) {
      if (fold) await addUpChanges(world.db);
      expect((await ask("referrers", own)).body).toEqual(all);
      expect((await ask(`referrers?article_id=${article.id}`, own)).body).toEqual(all);
      expect((await ask("referrers?start=2026-3-31", own)).body).toEqual(ofLastDay);
      expect((await ask("referrers?end=2026-3-30", own)).body).toEqual({
        domains: [{ domain: "news.example", count: 20 }],
      });
    }
    await world.request({ method: "DELETE", url: `/api/articles/${article.id}`, key: own });
    expect((await ask("referrers", own)).body).toEqual({ domains: [] });
    expect((await ask("referrers?start=2026-3-1", own)).body).toEqual({ domains: [] });
  });

  test("stops at 20, of which none that was noted a moment ago is missing", async () => {
    const person = await world.user();
    const { slug } = await world.article(person);
    const own = await world.key(person);
    const from = (count: number) => ({
      article: slug,
      on: "2026-03-01",
      referrer: `site-${count}.example`,
      count,
    });
    await world.pageViews(...Array.from({ length: 30 }, (_, index) => from(index + 1)));
    await addUpChanges(world.db);
    const fewer = [28, 29, 30].map((place) => ({ ...from(place), count: 2 }));
    await world.pageViews({ ...from(1), count: 99 }, ...fewer, from(31));
    const { domains } = (await ask("referrers", own)).body as Referrers;
    expect(domains.map(({ count }) => count)).toEqual([
      99,
      31,
      ...Array.from({ length: 18 }, (_, index) => 27 - index),
    ]);
    expect(domains[0]).toEqual({ domain: "site-1.example", count: 99 });
  });
});
