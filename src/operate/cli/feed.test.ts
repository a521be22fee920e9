import { beforeEach, describe, expect, test, vi } from "vitest";
import { feedHost } from "../../../test/feeds.ts";
import { rss } from "../../../test/fetching.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForEach } from "../../../test/own-database.ts";

const database = databaseForEach();
const there = feedHost();
const inkstone = commandsWith(() => ({
  DATABASE_URL: urlOf(database.name),
  ALLOW_PRIVATE_NETWORK: "true",
}));

const feed = (...args: string[]) => inkstone("feed", ...args);
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await feed(...args, "--json")).out);
const add = (...more: string[]) => feed("add", there.at("/feed"), "--user", "lena", ...more);

beforeEach(async () => {
  await inkstone("user", "create", "--username", "lena", "--name", "Lena");
  there.put("/feed", {
    body: rss([{ title: "One", guid: "1" }]),
  });
});

describe("inkstone feed", () => {
  test("add makes drafts of what there is, and list says so", async () => {
    expect(await feed("list")).toEqual({
      code: 0,
      out: "There are no feeds: `inkstone feed add` adds one.\n",
      err: "",
    });
    expect(await json("list")).toEqual([]);
    expect(await add()).toEqual({ code: 0, out: "Added the feed 1 of lena: 1 article.\n", err: "" });
    expect(await json("list")).toEqual([
      {
        id: 1,
        user: "lena",
        url: there.at("/feed"),
        publish: false,
        created_at: expect.any(String),
        imported: 1,
        skipped: 0,
        succeeded_at: expect.any(String),
        due_at: expect.any(String),
        problem: null,
        last_skipped: [],
      },
    ]);
    const articles = await database.db.selectFrom("articles").select(["title", "state"]).execute();
    expect(articles).toEqual([{ title: "One", state: "draft" }]);
  });

  test("add --publish publishes them, and list says what was left out and why", async () => {
    there.put("/feed", {
      body: rss([
        { title: "One", guid: "1" },
        { title: "​", guid: "2", html: "<p></p>" },
      ]),
    });
    expect(await add("--publish")).toMatchObject({
      out: "Added the feed 1 of lena: 1 article, 1 left out.\n",
    });
    const articles = await database.db.selectFrom("articles").select(["title", "state"]).execute();
    expect(articles).toEqual([{ title: "One", state: "published" }]);
    expect((await feed("list")).out).toMatch(
      /^1 {2}http:\S+\/feed \(published for lena, 1 article, 1 left out, read \d{4}-\d\d-\d\d [\d:]{8} UTC\)\n {3}left out ".*": Title can't be blank\n$/,
    );
  });

  test("add refuses one that can't be read, and says why", async () => {
    there.put("/feed", { status: 503 });
    const reason = "The server responds with the status 503 (Service Unavailable).";
    const refused = {
      code: 1,
      out: "",
      err: `inkstone: The feed "${there.at("/feed")}" can't be read: ${reason}\n`,
    };
    expect(await add()).toEqual(refused);
    there.put("/feed", { body: "<html><p>No feed</p></html>" });
    expect((await add()).err).toMatch(/^inkstone: The feed ".+" can't be read: .+\.\n$/);
    expect(await json("list")).toEqual([]);
  });

  test.each<[sentence: string, code: number, args: string[]]>([
    ["must be a full http or https address", 1, ["add", "nonsense", "--user", "lena"]],
    ["must be a full http or https address", 1, ["add", "https://me:secret@blog.example/", "--user", "lena"]],
    ['There is no user "nobody".', 1, ["add", "https://blog.example/", "--user", "nobody"]],
    ["'--user <username>' not specified", 2, ["add", "https://blog.example/"]],
    ["There is no feed 7: `inkstone feed list` shows their numbers.", 1, ["refresh", "7"]],
    ["There is no feed 7: `inkstone feed list` shows their numbers.", 1, ["remove", "7"]],
    ["It must be the number of a feed", 2, ["remove", "x"]],
  ])("refuses in one line: %s", async (sentence, code, args) => {
    const refused = await feed(...args);
    expect(refused).toMatchObject({ code, out: "" });
    expect(refused.err).toContain(sentence);
    expect(refused.err.trim().split("\n")).toHaveLength(1);
    expect(await json("list")).toEqual([]);
    expect(there.asked()).toEqual([]);
  });

  test("add refuses a feed that another person has", async () => {
    await add();
    expect(await add("--publish")).toMatchObject({
      code: 1,
      err: `inkstone: This user has the feed ${there.at("/feed")} already.\n`,
    });
    expect(await json("list")).toMatchObject([{ publish: false }]);
  });

  test("add asks no private address, unless the operator allows that", async () => {
    vi.stubEnv("ALLOW_PRIVATE_NETWORK", "false");
    expect(await add()).toMatchObject({
      code: 1,
      err: `inkstone: The feed "${there.at("/feed")}" can't be read: The address leads into a private network, which nothing is fetched from. ALLOW_PRIVATE_NETWORK=true allows it.\n`,
    });
    expect(await json("list")).toEqual([]);
    expect(there.asked()).toEqual([]);
  });

  test("refresh reads one or all at once, and ends with 1 when one can't be read", async () => {
    expect(await feed("refresh")).toEqual({
      code: 0,
      out: "There are no feeds: `inkstone feed add` adds one.\n",
      err: "",
    });
    there.put("/feed", { body: rss([]) });
    await add();
    there.put("/feed", { body: rss([{ title: "Two", guid: "3" }]) });
    expect(await feed("refresh", "1")).toEqual({
      code: 0,
      out: "The feed 1 brought 1 article.\n",
      err: "",
    });
    expect((await feed("refresh")).out).toBe("The feed 1 has nothing new.\n");
    expect(await json("refresh")).toMatchObject([{ id: 1, imported: 1, new_imported: 0, new_skipped: 0 }]);
    there.put("/feed", { status: 404 });
    expect(await feed("refresh", "1")).toMatchObject({
      code: 1,
      out: "The feed 1 can't be read: The server responds with the status 404 (Not Found).\n",
    });
  });

  test("remove forgets the feed and leaves its articles", async () => {
    await add();
    expect(await feed("remove", "1")).toEqual({
      code: 0,
      out: `Removed the feed 1 of lena: ${there.at("/feed")}\n`,
      err: "",
    });
    expect(await json("list")).toEqual([]);
    expect(await database.db.selectFrom("articles").select("title").execute()).toEqual([{ title: "One" }]);
    expect(await database.db.selectFrom("fetches").select("id").execute()).toEqual([]);
  });
});
