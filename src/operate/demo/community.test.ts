import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTemplate } from "../../../test/database.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import { renderPool, startWorld, type World } from "../../../test/world.ts";
import { operator } from "../../http/actor.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as users from "../../community/users/users.ts";
import { readDemo } from "./content.ts";
import * as demo from "./demo.ts";

const NOW = new Date("2026-03-02T09:15:00Z");

const AROUND = { now: NOW, baseUrl: "https://ink.example" };
const recordsOf = async (wanted: string) => (await readDemo(AROUND)).filter(({ type }) => type === wanted);

/** A database with the demo, loaded once: that takes longer than all else here. */
const loadedDemo = () => createTemplate("demo of 2 March", (db) => demo.load(db, { renderPool, ...AROUND }));

describe("the demo, once loaded,", () => {
  const database = databaseForEach(loadedDemo);

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
    const follows = () => database.db.selectFrom("follows").selectAll().execute();
    expect(await follows()).toHaveLength((await recordsOf("follow")).length);
    await users.create(operator(database.db), { username: "own", name: "Own" });
    await sql`insert into follows (follower_id, tag_id)
      select users.id, tags.id from users, tags where username = 'own' and tags.name = 'bread'`.execute(
      database.db,
    );
    await demo.remove(database.db, NOW);
    const tags = await database.db.selectFrom("tags").select("name").execute();
    expect(tags).toEqual([{ name: "bread" }]);
    expect(await follows()).toHaveLength(1);
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
    const kept = await database.db.selectFrom("settings").select(["key", "value"]).execute();
    expect(kept).toEqual([{ key: "tagline", value: "Ours" }]);
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
    expect(await world.get("/signup")).toMatchObject({
      status: 200,
      text: expect.stringContaining("Username"),
    });
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
