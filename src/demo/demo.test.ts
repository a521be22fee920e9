import { existsSync } from "node:fs";
import { sql } from "kysely";
import { publishedCount } from "../articles/counting.ts";
import { operator } from "../actor.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTemplate } from "../../test/database.ts";
import { databaseForAll, databaseForEach, type OwnDatabase } from "../../test/own-database.ts";
import { startWorld, type World } from "../../test/world.ts";
import { locate } from "../layout.ts";
import * as settings from "../settings/settings.ts";
import { createRenderPool } from "../text/render-pool.ts";
import * as keys from "../users/keys.ts";
import * as users from "../users/users.ts";
import { readDemo, toArticle } from "./content.ts";
import * as demo from "./demo.ts";
import * as demoKeys from "./key.ts";

const SITE = "https://ink.example";
const NOW = new Date("2026-03-02T09:15:00Z");
const renderPool = createRenderPool();
afterAll(() => renderPool.close());

const AROUND = { now: NOW, baseUrl: SITE };
const recordsOf = async (wanted: string) => (await readDemo(AROUND)).filter(({ type }) => type === wanted);

let template: Promise<string> | undefined;

/** A database with the demo, loaded once: that takes longer than all else here. */
const loadedDemo = () => (template ??= createTemplate((db) => demo.load(db, { renderPool, ...AROUND })));

function demoIn(database: OwnDatabase) {
  const load = () => demo.load(database.db, { renderPool, ...AROUND });
  const rowsOf = async () => {
    const names = [
      "users",
      "handles",
      "organizations",
      "tags",
      "articles",
      "published_articles",
      "demo_rows",
      "follows",
      "reactions",
      "comments",
      "listings",
      "podcasts",
      "podcast_episodes",
      "fetches",
      "page_views",
      "settings",
    ] as const;
    const tables = await Promise.all(
      names.map(async (table) => [table, await database.db.selectFrom(table).selectAll().execute()] as const),
    );
    return { rows: new Map(tables), published: await publishedCount(database.db) };
  };
  return { load, rowsOf };
}

describe("the demo, when it is loaded,", () => {
  const database = databaseForAll();
  const { load, rowsOf } = demoIn(database);
  let tally: demo.DemoTally | undefined;
  beforeAll(async () => {
    tally = await load();
  });

  test("brings people, organizations, tags and articles, dated back from now", async () => {
    const articles = await recordsOf("article");
    expect(tally).toEqual({
      users: (await recordsOf("user")).length,
      organizations: (await recordsOf("organization")).length,
      tags: (await recordsOf("tag")).length,
      articles: articles.length,
    });
    const drafts = articles.filter(({ published }) => published === false);
    expect(drafts.length).toBeGreaterThan(0);
    const { rows, published } = await rowsOf();
    expect(published).toBe(articles.length - drafts.length);
    expect(rows.get("published_articles")).toHaveLength(published);
    const newest = await database.db
      .selectFrom("articles")
      .select(({ fn }) => fn.max("published_at").as("date"))
      .executeTakeFirst();
    expect(NOW.getTime() - (newest?.date?.getTime() ?? 0)).toBeLessThan(86_400_000);
    expect(rows.get("listings")).toHaveLength((await recordsOf("listing")).length);
    expect(rows.get("podcast_episodes")).toHaveLength(3);
    // The demo fetches nothing from elsewhere.
    expect(rows.get("fetches")).toEqual([]);
    const views = await recordsOf("page_view");
    expect(rows.get("page_views")).toHaveLength(views.length);
    expect(views.length).toBeGreaterThan(500);
  });

  test("asks nothing of other hosts: its pictures and recordings are the site's own", async () => {
    const articles = await database.db
      .selectFrom("articles")
      .select(["main_image", "video_source_url", "video_thumbnail_url"])
      .execute();
    const episodes = await database.db.selectFrom("podcast_episodes").select("media_url").execute();
    const media = [...articles, ...episodes].flatMap((row) => Object.values<string | null>(row));
    const addresses = media.filter((url) => url !== null);
    expect(addresses.length).toBeGreaterThan(15);
    const missing = addresses.filter((url) => {
      const [start, name] = url.split("/assets/");
      return start !== SITE || !existsSync(locate(`../assets/${name}`));
    });
    expect(missing).toEqual([]);
  });

  test("changes nothing the second time", async () => {
    const before = await rowsOf();
    expect(
      await demo.load(database.db, { renderPool, now: new Date("2026-05-02T09:15:00Z"), baseUrl: SITE }),
    ).toBeUndefined();
    expect(await rowsOf()).toEqual(before);
  });

  test("has one key for its admin, another one every time", async () => {
    const first = await demoKeys.renew(database.db, NOW);
    const second = await demoKeys.renew(database.db, NOW);
    expect(await keys.authenticate(database.db, first, NOW)).toBeUndefined();
    expect(await keys.authenticate(database.db, second, NOW)).toMatchObject({
      role: "admin",
      readOnly: false,
    });
  });
});

describe("the demo", () => {
  const database = databaseForEach();
  const { load, rowsOf } = demoIn(database);

  test("is gone without a trace when it is removed", async () => {
    const before = await rowsOf();
    const tally = await load();
    expect(await demo.remove(database.db, NOW)).toEqual(tally);
    expect(await rowsOf()).toEqual(before);
  });

  test("leaves the site's own alone, settings and tags of the same name included", async () => {
    await settings.set(database.db, "registration", "open");
    const ownSettings = (await rowsOf()).rows.get("settings");
    await users.create(operator(database.db), { username: "own", name: "Own" });
    await database.db.insertInto("tags").values({ name: "bread", short_summary: "Ours." }).execute();
    await load();
    expect((await rowsOf()).rows.get("settings")).toEqual(ownSettings);
    await demo.remove(database.db, NOW);
    expect((await rowsOf()).rows.get("settings")).toEqual(ownSettings);
    const tags = await database.db
      .selectFrom("tags")
      .select(["name", "short_summary", "articles_count"])
      .execute();
    expect(tags).toEqual([{ name: "bread", short_summary: "Ours.", articles_count: 0 }]);
    expect([...(await users.idsByUsername(database.db, ["own"])).keys()]).toEqual(["own"]);
  });

  test("doesn't take over another person's name", async () => {
    await users.create(operator(database.db), { username: "mara_lindqvist", name: "Another Mara" });
    await expect(load()).rejects.toThrow(
      "The demo can't be loaded: the site has the username mara_lindqvist already, and it isn't the demo's.",
    );
    expect((await rowsOf()).rows.get("users")).toHaveLength(1);
  });
});

describe("the demo, once loaded,", () => {
  const database = databaseForEach(loadedDemo);
  const { rowsOf } = demoIn(database);

  test("brings reactions, and takes back those of its people to what others wrote", async () => {
    const reactions = await recordsOf("reaction");
    const stored = () => database.db.selectFrom("reactions").selectAll().execute();
    expect(await stored()).toHaveLength(reactions.length);
    const { id } = await users.create(operator(database.db), { username: "own", name: "Own" });
    const slug = "bicycle-rescue-brake-cables";
    await database.db.updateTable("articles").set({ author_id: id }).where("slug", "=", slug).execute();
    await demo.remove(database.db, NOW);
    const left = await database.db.selectFrom("articles").select(["slug", "reactions_count"]).execute();
    expect([left, await stored()]).toEqual([[{ slug, reactions_count: 0 }], []]);
  });

  test("loads follows, and leaves a tag that another person follows", async () => {
    const { rows } = await rowsOf();
    expect(rows.get("follows")).toHaveLength((await recordsOf("follow")).length);
    await users.create(operator(database.db), { username: "own", name: "Own" });
    await sql`insert into follows (follower_id, tag_id)
      select users.id, tags.id from users, tags where username = 'own' and tags.name = 'bread'`.execute(
      database.db,
    );
    await demo.remove(database.db, NOW);
    const left = (await rowsOf()).rows;
    expect(left.get("tags")).toMatchObject([{ name: "bread" }]);
    expect(left.get("follows")).toHaveLength(1);
  });

  test("leaves a tag that another person uses by now, and a setting that was made since", async () => {
    await settings.set(database.db, "tagline", "Ours");
    const { id } = await users.create(operator(database.db), { username: "own", name: "Own" });
    const { id: tagId } = await database.db
      .selectFrom("tags")
      .select("id")
      .where("name", "=", "bread")
      .executeTakeFirstOrThrow();
    const article = await database.db
      .updateTable("articles")
      .set({ author_id: id })
      .where(sql<boolean>`tag_list @> '{bread}'`)
      .where("state", "=", "published")
      .returning("id")
      .execute();
    expect(article.length).toBeGreaterThan(0);
    await demo.remove(database.db, NOW);
    const tags = await database.db
      .selectFrom("tags")
      .select(["id", "articles_count"])
      .where("name", "=", "bread")
      .execute();
    expect(tags).toEqual([{ id: tagId, articles_count: article.length }]);
    expect((await rowsOf()).rows.get("settings")).toMatchObject([{ key: "tagline", value: "Ours" }]);
  });
});

interface Comment {
  /** Missing when it is deleted. */
  user?: { username: string; profile_image: string; profile_image_90: string };
  children: Comment[];
}

describe("the community of the demo", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ template: await loadedDemo(), now: NOW });
  });
  afterAll(() => world.stop());

  test("has a name and a tagline of its own, and anyone may join it", async () => {
    const [name, tagline] = ["Third Bench", "Make it, mend it, grow it, write it down."];
    expect((await world.get("/api/instance")).body).toMatchObject({ name, tagline });
    const { text } = await world.get("/");
    expect(text).toContain(`<title>${name}: ${tagline}</title>`);
    expect(text).toMatch(/<a [^>]*href="\/signup"/);
    expect(await world.get("/signup")).toMatchObject({ status: 200, text: expect.stringContaining("Username") });
  });

  test("talks about many articles, in threads, and each of its people has a picture", async () => {
    const { body } = await world.get("/api/articles?per_page=1000");
    const articles = body as { id: number; comments_count: number; published_at: string }[];
    const discussed = articles.filter(({ comments_count }) => comments_count > 0);
    expect(discussed.length).toBeGreaterThanOrEqual(30);
    expect(discussed.length).toBeLessThan(articles.length);
    const pictures = new Map<string, string[]>();
    let [depth, comments] = [0, 0];
    const walk = ({ user, children }: Comment, level: number) => {
      [depth, comments] = [Math.max(depth, level), comments + 1];
      if (user?.username) pictures.set(user.username, [user.profile_image, user.profile_image_90]);
      for (const child of children) walk(child, level + 1);
    };
    for (const { id } of discussed) {
      const trees = (await world.get(`/api/comments?a_id=${id}&per_page=1000`)).body as Comment[];
      for (const tree of trees) walk(tree, 1);
    }
    expect(comments).toBeGreaterThan(100);
    expect(depth).toBeGreaterThanOrEqual(3);
    expect(pictures.size).toBeGreaterThanOrEqual(12);
    const shown = [...pictures.values()].flat();
    expect(new Set(shown).size).toBe(2 * pictures.size);
    for (const address of shown) {
      const { statusCode, headers } = await world.app.inject(new URL(address).pathname);
      expect([address, statusCode, headers["content-type"]]).toEqual([address, 200, "image/webp"]);
    }
  });

  test("has talked about nothing before it stood there, or after today", async () => {
    const { rows } = await sql`
      select from comments left join comments as parent on parent.id = comments.parent_id
      left join articles on articles.id = comments.article_id
      where comments.created_at <= coalesce(parent.created_at, published_at) or comments.created_at >= ${NOW}`.execute(
      world.db,
    );
    expect(rows).toEqual([]);
  });
});

test("a demo article is its block of YAML and its body", () => {
  const text =
    '---\nauthor: lena\ntitle: "A: b"\ntags: a, b\ndays_ago: 0.5\nreactions: 3\npublished: false\n---\n\nText\n---\n';
  expect(toArticle("a-b.md", text, NOW)).toEqual({
    type: "article",
    slug: "a-b",
    author: "lena",
    title: "A: b",
    body_markdown: "Text\n---\n",
    tags: ["a", "b"],
    created_at: "2026-03-01T21:15:00.000Z",
    published: false,
    imported_reactions_count: 3,
  });
});
