import { beforeEach, describe, expect, test, vi } from "vitest";
import { feedHost, podcastFeed } from "../../../test/feeds.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";

const database = databaseForAll();
const there = feedHost();
const inkstone = commandsWith(() => ({
  DATABASE_URL: urlOf(database.name),
  ALLOW_PRIVATE_NETWORK: "true",
}));

const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await inkstone("podcast", ...args, "--json")).out);

/** How many rows there are of whatever a podcast brings. */
async function rows(): Promise<number[]> {
  const { db } = database;
  const tables = ["podcasts", "podcast_episodes", "fetches"] as const;
  return Promise.all(
    tables.map(
      async (table) =>
        (await db.selectFrom(table).select(db.fn.countAll<string>().as("n")).execute())[0]?.n ?? "0",
    ),
  ).then((counts) => counts.map(Number));
}

const one = { title: "One", media: "https://media.example/1.mp3", guid: "1" };
const two = { title: "Two", media: "https://media.example/2.mp3", guid: "2" };

beforeEach(async () => {
  await database.db.deleteFrom("podcasts").execute();
  await database.db.deleteFrom("handles").where("kind", "=", "podcast").execute();
});
beforeEach(() => there.put("/feed", { body: podcastFeed({ items: [two, one] }) }));

describe("inkstone podcast add", () => {
  test("reads a feed and makes a podcast of it, whose it is if that is said", async () => {
    await inkstone("user", "create", "--username", "lena", "--name", "Lena");
    expect(await inkstone("podcast", "add", there.at("/feed"), "--owner", "Lena")).toEqual({
      code: 0,
      out: 'Added the podcast loomcast, "Loomcast", with 2 episodes.\n',
      err: "",
    });
    expect(await json("list")).toEqual([
      {
        id: expect.any(Number),
        slug: "loomcast",
        title: "Loomcast",
        owner: "lena",
        published: true,
        episodes: 2,
        feed_url: there.at("/feed"),
        succeeded_at: expect.any(String),
        due_at: expect.any(String),
        problem: null,
      },
    ]);
    expect(there.asked()).toHaveLength(1);
  });

  test("refuses the feed that a podcast has already", async () => {
    await json("add", there.at("/feed"));
    expect(await inkstone("podcast", "add", there.at("/feed"))).toEqual({
      code: 1,
      out: "",
      err: "inkstone: The podcast loomcast has this feed already.\n",
    });
    expect(await rows()).toEqual([1, 2, 3]);
  });

  test.each([
    ["/none", "can't be read: The host responds with 404 instead of a feed."],
    ["/gone", "can't be read: The feed is gone for good: its host responds with 410."],
    ["/page", "can't be read: "],
    ["/blog", "There are no audio files in"],
    ["/nothing", "can't be read: "],
  ])("refuses %s, and nothing is stored", async (path, sentence) => {
    there.put("/gone", { status: 410 });
    there.put("/page", { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Hello" });
    there.put("/blog", { body: podcastFeed({ items: [{ title: "An article", guid: "a" }] }) });
    there.put("/nothing", { body: "" });
    const { code, out, err } = await inkstone("podcast", "add", there.at(path));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(sentence);
    expect(await rows()).toEqual([0, 0, 0]);
  });

  test.each([
    [["not an address"], "The feed's address must be a full http or https address"],
    [["/feed", "--owner", "nobody"], 'There is no user "nobody".'],
  ])("refuses %j without asking anybody", async (args, sentence) => {
    const given = args.map((arg) => (arg.startsWith("/") ? there.at(arg) : arg));
    const { code, err } = await inkstone("podcast", "add", ...given);
    expect(code).toBe(1);
    expect(err).toContain(sentence);
    expect(await rows()).toEqual([0, 0, 0]);
    expect(there.asked()).toEqual([]);
  });
});

describe("inkstone podcast list", () => {
  test("says why a feed can't be read beside when it last could", async () => {
    expect(await inkstone("podcast", "list")).toEqual({
      code: 0,
      out: "There are no podcasts: `inkstone podcast add` adds one.\n",
      err: "",
    });
    await json("add", there.at("/feed"));
    there.put("/feed", { status: 500 });
    await inkstone("podcast", "refresh");
    expect((await inkstone("podcast", "list")).out).toMatch(
      /^loomcast {2}"Loomcast" \(2 episodes, http:\/\/127\.0\.0\.1:\d+\/feed, read \d{4}-.* UTC\): The host responds with 500 instead of a feed\.\n$/,
    );
  });
});

describe("inkstone podcast refresh", () => {
  test("reads feeds at once and says what is new", async () => {
    await json("add", there.at("/feed"));
    const three = { title: "Three", media: "https://media.example/3.mp3" };
    there.put("/feed", { body: podcastFeed({ items: [three, two, one] }) });
    expect(await inkstone("podcast", "refresh", "LOOMCAST")).toEqual({
      code: 0,
      out: "loomcast has 1 new episode.\n",
      err: "",
    });
    expect(await json("refresh", "loomcast")).toMatchObject([
      { slug: "loomcast", episodes: 3, new_episodes: 0 },
    ]);
  });

  test("ends with 1 and the reason when one can't be read", async () => {
    await json("add", there.at("/feed"));
    there.put("/other", { body: podcastFeed({ title: "Other", items: [one] }) });
    await json("add", there.at("/other"));
    there.put("/feed", { status: 404 });
    expect(await inkstone("podcast", "refresh")).toEqual({
      code: 1,
      out: "loomcast can't be read: The host responds with 404 instead of a feed.\nother has nothing new.\n",
      err: "",
    });
  });

  test("refuses what there isn't, and what has no feed", async () => {
    await database.db.insertInto("handles").values({ username: "fileborne", kind: "podcast" }).execute();
    await database.db.insertInto("podcasts").values({ slug: "fileborne", title: "F" }).execute();
    for (const slug of ["nothing", "a b", "\u0001"]) {
      expect((await inkstone("podcast", "refresh", slug)).err).toContain("There is no podcast");
    }
    expect(await inkstone("podcast", "refresh", "fileborne")).toMatchObject({
      code: 1,
      err: 'inkstone: The podcast "fileborne" has no feed: its episodes came with a community file.\n',
    });
  });
});

describe("inkstone podcast remove", () => {
  test("removes a podcast with its episodes, and frees its name", async () => {
    await json("add", there.at("/feed"));
    expect(await inkstone("podcast", "remove", "Loomcast")).toEqual({
      code: 0,
      out: 'Removed the podcast loomcast, "Loomcast", and its 2 episodes.\n',
      err: "",
    });
    expect(await rows()).toEqual([0, 0, 0]);
    expect(await json("add", there.at("/feed"))).toMatchObject({ slug: "loomcast" });
    expect(await json("remove", "loomcast")).toEqual({
      id: expect.any(Number),
      slug: "loomcast",
      title: "Loomcast",
      episodes: 2,
    });
  });
});

test("feeds on private addresses are refused unless the operator allows them", async () => {
  vi.stubEnv("ALLOW_PRIVATE_NETWORK", "false");
  const { code, err } = await inkstone("podcast", "add", there.at("/feed"));
  expect(code).toBe(1);
  expect(err).toContain("can't be read: ");
  expect(there.asked()).toEqual([]);
  expect(await rows()).toEqual([0, 0, 0]);
});
