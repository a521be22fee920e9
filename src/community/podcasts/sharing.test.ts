import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { feedHost, following, podcastFeed } from "../../../test/feeds.ts";
import * as subscriptions from "./subscriptions.ts";

const there = feedHost();
const here = following();
const one = { title: "One", media: "https://media.example/1.mp3", guid: "1" };
const two = { title: "Two", media: "https://media.example/2.mp3", guid: "2" };
const feed = podcastFeed({ items: [one] });
const newer = podcastFeed({ items: [two, one] });

test("however many add one feed at once, there is one podcast of it", async () => {
  there.put("/feed", { body: feed });
  const added = await Promise.allSettled([1, 2, 3, 4].map(() => here.add(there.at("/feed"))));
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await here.podcast()).toMatchObject({ episodes: 1 });
  const handles = await here.world.db.selectFrom("handles").select("username").execute();
  expect(handles).toEqual([{ username: "loomcast" }]);
});

test.each([
  ["Loomcast", ["loomcast", "loomcast-podcast", "loomcast-podcast-2"]],
  ["API", ["api-podcast", "api-podcast-2"]],
  ["42", ["42-podcast"]],
  ["By path", ["by-path-podcast"]],
  ["x", ["x-podcast"]],
  ["Ткань", [expect.stringMatching(/^podcast-\w+$/)]],
  ["", ["127-0-0-1"]],
])("each podcast that is called %j has a name of its own", async (title, slugs) => {
  for (const [index, slug] of slugs.entries()) {
    there.put(`/feed${index}`, { body: podcastFeed({ title, items: [one] }) });
    expect(await here.add(there.at(`/feed${index}`))).toMatchObject({ slug });
  }
});

describe("a feed", () => {
  beforeEach(async () => {
    there.put("/feed", { body: feed });
    await here.add(there.at("/feed"));
    here.later(2);
  });

  test("is read once, however many processes look after it", async () => {
    there.put("/feed", { body: newer });
    const rounds = await Promise.all([1, 2, 3, 4].map(() => here.refresh()));
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(there.asked()).toHaveLength(2);
    expect(await here.titles()).toEqual(["Two", "One"]);
  });

  test("that a killed process was about to read is read by another when its lease has passed", async () => {
    const { db } = here.world;
    const hold = (seconds: number) =>
      sql`update fetches set lease = gen_random_uuid(), leased_until = clock_timestamp() + make_interval(secs => ${seconds})
        where kind = 'podcast'`.execute(db);
    await hold(40);
    expect(await here.refresh()).toBe(0);
    await hold(-1);
    expect(await here.refresh()).toBe(1);
  });

  test("that another process took over meanwhile isn't written by the one that was late", async () => {
    const takeOver = sql`update fetches set lease = gen_random_uuid() where kind = 'podcast'`;
    there.put("/feed", (_request, response) => {
      void takeOver.execute(here.world.db).then(() => response.end(newer));
    });
    await here.refresh();
    expect(await here.titles()).toEqual(["One"]);
    expect((await here.podcast()).episodes).toBe(1);
  });

  test("of a podcast that is removed meanwhile leaves nothing behind", async () => {
    const { db } = here.world;
    there.put("/feed", (_request, response) => {
      void subscriptions.remove(db, "loomcast").then(() => response.end(newer));
    });
    await here.refresh();
    for (const table of ["podcasts", "podcast_episodes", "handles", "fetches"] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test("whose podcast has another one meanwhile changes nothing", async () => {
    there.put("/other", { body: feed });
    there.put("/feed", (_request, response) => {
      void here.world
        .podcast({ slug: "loomcast", feed_url: there.at("/other") })
        .then(() => response.end(newer));
    });
    await here.refresh();
    expect(await here.podcast()).toMatchObject({ feed_url: there.at("/other"), episodes: 1 });
    here.later(2);
    await here.refresh();
    expect(there.asked("/other")).toHaveLength(1);
  });
});

test("what was said of an episode goes with its podcast", async () => {
  there.put("/feed", { body: feed });
  await here.add(there.at("/feed"));
  const lena = await here.world.user({ username: "lena" });
  const { code } = await here.world.comment(lena, { episode: "loomcast/one" });
  await here.world.reaction({ user: "lena", comment: code, category: "like" });
  await subscriptions.remove(here.world.db, "loomcast");
  expect((await here.world.get(`/api/comments/${code}`)).status).toBe(404);
  for (const table of ["comments", "reactions"] as const) {
    expect(await here.world.db.selectFrom(table).select("id").execute()).toEqual([]);
  }
});
