import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import * as feeds from "../feed-imports/imports.ts";
import { comments, follows as following } from "../../../test/actors.ts";
import { faultsIn } from "../../../test/health.ts";
import { wordsIn } from "../../../test/canary.ts";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { form, pngOf, uploading } from "../../../test/pictures.ts";
import { worldForAll } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";
import * as notifications from "../notifications/notifications.ts";
import * as addresses from "../users/addresses.ts";
import * as invitations from "../users/invitations.ts";

const HTML = { headers: { accept: "text/html" } };

const NUMBERS = {
  articles: 4,
  comments: 2,
  reactions: 3,
  follows: 2,
  listings: 1,
  images: 1,
  podcasts: 1,
  feeds: 1,
  organizations: 2,
  notifications: 1,
  api_keys: 1,
  webhook_endpoints: 1,
};

describe("merging an account into another", () => {
  let name: string;
  let key: string;
  let lenasKey: string;
  let deletedId: number;
  let lenaId: number;
  const world = worldForAll();
  beforeAll(async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.db);
    name = rows[0]?.name ?? "";
    await fill();
  });
  const inkstone = commandsWith(() => ({
    DATABASE_URL: urlOf(name),
    DATA_DIR: world.context.config.dataDir,
    BASE_URL: world.context.config.baseUrl,
  }));

  async function fill(): Promise<void> {
    const bob = await world.user({ username: "bob", role: "admin" });
    const old = await world.user({ username: "lena_old", email: "old@lena.example" });
    const lena = await world.user({ username: "lena", email: "lena@lena.example" });
    await world.user({ username: "quiet", suspended: true });
    const spammer = await world.user({ username: "spammer", suspended: true });
    await world.db.updateTable("users").set({ spam: true }).where("id", "=", spammer.id).execute();
    for (const [group, members] of Object.entries({ guild: ["admin", "member"], club: ["member"] }))
      await world.organization({
        username: group,
        members: members.map((role, index) => ({ username: ["lena_old", "lena"][index], role })),
      });
    await world.article(bob, { slug: "by-bob", tags: ["wool"] });
    await world.article(lena, { slug: "by-lena", series: "Looms", body_markdown: "With @bob." });
    const first = await world.article(old, {
      slug: "first",
      series: "Looms",
      tags: ["wool"],
      body_markdown: "Of felt.",
    });
    await world.article(old, { slug: "second", series: "Yarn", organization: "guild" });
    await world.article(old, { slug: "draft", published: false });
    key = await world.key(old);
    lenasKey = await world.key(lena);
    lenaId = lena.id;
    const gone = await world.article(old, { slug: "deleted", series: "Yarn" });
    deletedId = gone.id;
    await world.request({ method: "DELETE", url: `/api/articles/${gone.id}`, key });
    const { code } = await world.comment(old, { article: "by-lena" });
    await world.comment(lena, { article: "by-lena", parent: code });
    await world.comment(old, { article: "by-bob" });
    for (const user of ["lena_old", "lena"]) {
      await world.reaction({ user, article: "by-bob", category: "like" });
      await world.reaction({ user, comment: code, category: "fire" });
      await world.follow({ user, followed_user: "bob" });
      await world.follow({ user: "bob", followed_user: user });
      await world.follow({ user, tag: "wool", points: user === "lena" ? 1 : 3 });
    }
    await world.reaction({ user: "lena_old", article: "by-bob", category: "readinglist" });
    await world.reaction({ user: "lena_old", article: "by-lena", category: "like" });
    await world.reaction({ user: "bob", article: "first", category: "like" });
    await world.reaction({ user: "lena_old", comment: code, category: "like" });
    await world.follow({ user: "lena_old", followed_user: "lena" });
    await world.follow({ user: "lena", followed_user: "lena_old" });
    await world.follow({ user: "lena_old", organization: "club" });
    await world.follow({ user: "quiet", followed_user: "lena_old" });
    await world.listing(old, { slug: "listed-1a" });
    await world.podcast({ slug: "loomcast", owner: "lena_old" });
    await world.webhook(old);
    await addresses.wait(world.db, { userId: old.id, address: "lena@new.example" }, world.context.now());
    const invited = { inviter: { id: old.id, role: "admin" }, address: null, note: "For lena" };
    const limits = { registration: "open" as const, member_invitations: 0 };
    await invitations.create(world.db, invited, { settings: limits, now: world.context.now() });
    await uploading(world, key).upload(form(pngOf(30, 20)));
    await world.pageViews(
      { article: "by-bob", on: "2026-03-04", user: "lena_old", count: 1 },
      { article: "by-bob", on: "2026-03-04", user: "lena", count: 2 },
    );
    await readFeeds({ old, lena });
    const zoe = await world.user({ username: "zoe" });
    const now = world.context.now();
    for (const { id } of [old, lena])
      await following.follow(world.db, { followerId: zoe.id, target: { userId: id } }, { now });
    const body = { markdown: "Hello", html: "<p>Hello</p>" };
    for (const writer of [bob, lena])
      await comments.write(world.db, { target: { article_id: first.id }, writer, body }, { now });
    await notifications.fanOut(world.db, now);
  }

  /** Both read one blog, in which the first has found one item more; the first reads another one too. */
  async function readFeeds({ old, lena }: Record<string, { id: number }>): Promise<void> {
    for (const [user, name, marks] of [
      [old, "feed", ["a", "b"]],
      [lena, "feed", ["a"]],
      [old, "other", []],
    ] as const) {
      const url = `https://lena.example/${name}`;
      const source = { user_id: user?.id ?? 0, url };
      const made = await world.db
        .insertInto("feed_sources")
        .values(source)
        .returning("id")
        .executeTakeFirstOrThrow();
      await feeds.schedule(world.db, [made.id], world.context.now());
      for (const mark of marks)
        await world.db
          .insertInto("feed_items")
          .values({ feed_id: made.id, marks: [mark], title: mark })
          .execute();
    }
  }

  test("prints the numbers first, and changes nothing", async () => {
    const before = await world.get("/api/articles?username=lena_old");
    expect(before.body).toHaveLength(2);
    const tried = await inkstone("user", "merge", "lena_old", "LENA", "--dry-run", "--json");
    expect(JSON.parse(tried.out)).toEqual({ from: "lena_old", to: "lena", ...NUMBERS });
    expect((await inkstone("user", "merge", "lena_old", "lena", "--dry-run")).out).toMatch(
      /^Would merge lena_old into lena: 4 articles, 2 comments, .*; 1 key and 1 webhook endpoint would end\.\n$/,
    );
    expect((await world.get("/api/articles?username=lena_old")).text).toBe(before.text);
  });

  test.each([
    [["lena", "lena"], "An account can't be merged into itself: name two accounts."],
    [["bob", "lena"], "The site needs an admin who isn't suspended: make another user an admin first."],
    [["lena", "quiet"], "quiet is suspended: lift that first, with `inkstone user unsuspend quiet`."],
    [["spammer", "lena"], "spammer is marked as spam: lift that first."],
    [["nobody", "lena"], 'There is no user "nobody".'],
    [["lena", "nobody"], 'There is no user "nobody".'],
  ])("refuses %j with one sentence, and changes nothing", async (names, sentence) => {
    const users = () => world.db.selectFrom("users").selectAll().orderBy("id").execute();
    const before = await users();
    for (const option of ["--dry-run", "--yes"])
      expect(await inkstone("user", "merge", ...names, option)).toEqual({
        code: 1,
        out: "",
        err: `inkstone: ${sentence}\n`,
      });
    expect(await users()).toEqual(before);
  });

  test("asks before it changes anything", async () => {
    expect(await inkstone("user", "merge", "lena_old", "lena")).toEqual({
      code: 1,
      out: "",
      err: "inkstone: This merges lena_old into lena for good: confirm it with --yes.\n",
    });
  });

  test("gives the other all it has, in the numbers that it prints, and leaves a site that agrees with itself", async () => {
    const merged = await inkstone("user", "merge", "lena_old", "lena", "--yes", "--json");
    expect(JSON.parse(merged.out)).toEqual({ from: "lena_old", to: "lena", ...NUMBERS });
    expect((await inkstone("user", "show", "lena_old")).err).toBe('inkstone: There is no user "lena_old".\n');
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  test("ends the keys of the account that is gone alone, and keeps its name from others", async () => {
    expect((await world.get("/api/articles/me", { key })).status).toBe(401);
    expect((await world.get("/api/articles/me/all", { key: lenasKey })).body).toHaveLength(4);
    const made = await inkstone("user", "create", "--username", "lena_old", "--name", "L");
    expect(made.err).toBe("inkstone: Username has already been taken.\n");
  });

  test.each([
    ["/lena_old", "/lena"],
    ["/lena_old/first", "/lena/first"],
    ["/LENA_OLD/first", "/lena/first"],
    ["/lena_old/series/Yarn", "/lena/series/Yarn"],
  ])("lets %s answer 301 to %s", async (from, to) => {
    const { status, headers } = await world.get(from, HTML);
    expect({ status, location: headers["location"] }).toEqual({ status: 301, location: to });
    expect((await world.get(to, HTML)).status).toBe(200);
  });

  test("shows and finds the articles as the other's", async () => {
    const { body } = await world.get("/api/articles/search?q=felt");
    expect(body).toMatchObject([{ slug: "first", user: { username: "lena" }, path: "/lena/first" }]);
    expect((await world.get("/api/articles/search?q=%22lena_old%22")).body).toEqual([]);
    expect((await inkstone("article", "restore", String(deletedId))).code).toBe(0);
    expect((await world.get("/api/articles?username=lena")).body).toHaveLength(4);
    const { text } = await world.get("/lena/series/Looms", HTML);
    for (const slug of ["first", "by-lena"]) expect(text).toContain(`/lena/${slug}`);
  });

  test("counts a reaction of both once, and has each follow once, with the greater weight, and none of oneself", async () => {
    expect((await world.get("/api/articles/bob/by-bob")).body).toMatchObject({ public_reactions_count: 2 });
    const follows = world.db.selectFrom("follows").leftJoin("tags", "tags.id", "tag_id");
    const own = await follows.select(["name", "points"]).where("name", "is not", null).execute();
    expect(own).toEqual([{ name: "wool", points: 3 }]);
    const { rows } = await sql`select from follows where follower_id = followed_user_id`.execute(world.db);
    expect(rows).toEqual([]);
    expect((await world.get("/api/followers/users", { key: lenasKey })).body).toHaveLength(2);
  });

  test("knows the items of a feed that both read, and gives the higher role in an organization", async () => {
    const items = world.db.selectFrom("feed_items").innerJoin("feed_sources", "feed_sources.id", "feed_id");
    expect(await items.select(["url", "marks"]).orderBy("marks").execute()).toEqual([
      { url: "https://lena.example/feed", marks: ["a"] },
      { url: "https://lena.example/feed", marks: ["b"] },
    ]);
    const { out } = await inkstone("user", "show", "lena", "--json");
    expect(JSON.parse(out)).toMatchObject({
      organizations: [
        { username: "club", role: "member" },
        { username: "guild", role: "admin" },
      ],
      images: 1,
    });
  });

  test("has the invitations of both, and no address that only the other has given", async () => {
    expect(await invitations.list(world.db, lenaId, new Date())).toMatchObject([{ note: "For lena" }]);
    const { confirmed, waiting } = await addresses.find(world.db, lenaId);
    expect({ confirmed, waiting }).toEqual({ confirmed: "lena@lena.example", waiting: null });
  });

  test("can be followed by another, and by a deletion that leaves nothing of either", async () => {
    await inkstone("user", "create", "--username", "heir", "--name", "Heir");
    expect((await inkstone("user", "merge", "lena", "heir", "--yes")).code).toBe(0);
    await world.forget();
    expect((await world.get("/lena_old", HTML)).headers["location"]).toBe("/heir");
    expect((await inkstone("user", "delete", "heir", "--yes")).code).toBe(0);
    expect(faultsIn(await verify(world.db))).toEqual({});
    expect(await wordsIn(world.db, ["lena"])).toEqual(new Map());
    expect((await inkstone("user", "create", "--username", "lena_old", "--name", "L")).code).toBe(0);
  });
});
