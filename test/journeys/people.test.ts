import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieFor, postForm } from "../accounts.ts";
import { commandsWith, urlOf } from "../commands.ts";
import { pngOf } from "../pictures.ts";
import { startWorld, type World } from "../world.ts";

const { answerTo, bring, firstOf, get, inkstone, keyOf, post, reply, withFile } = siteForAll();

const user = (username: string) => ({ type: "user", username, name: username });
const article = (slug: string, author: string, more: object = {}) => ({
  type: "article",
  slug,
  author,
  title: slug,
  body_markdown: "Some words.",
  ...more,
});

test("follows come by a file, and who is suspended leaves the lists of followers", async () => {
  await bring(
    ...["lena", "noor", "marco"].map(user),
    { type: "tag", name: "wool" },
    { type: "follow", user: "noor", followed_user: "lena", created_at: "2026-02-01T10:00:00Z" },
    { type: "follow", user: "marco", followed_user: "lena", created_at: "2026-02-02T10:00:00Z" },
    { type: "follow", user: "lena", tag: "wool", points: 3 },
  );
  const key = await keyOf("lena");
  await expect
    .poll(answerTo("/api/followers/users", key))
    .toEqual(listOf({ username: "marco" }, { username: "noor" }));
  await inkstone("user", "suspend", "noor");
  await expect.poll(answerTo("/api/followers/users", key)).toEqual(listOf({ username: "marco" }));
  await expect.poll(answerTo("/api/follows/tags", key)).toEqual(listOf({ name: "wool", points: 3 }));
  await expect
    .poll(answerTo("/api/users/by_username?url=noor"))
    .toEqual(expect.objectContaining({ username: "noor" }));
});

test("an organization is made by a member and joined, and shows its people and articles", async () => {
  await bring(user("olga"), user("mia"));
  await post("olga", "/orgs/new", { username: "guild", name: "Guild" });
  await post("ada", "/orgs/guild/settings", { act: "invite", invite: "mia" });
  await bring(article("looms-1a", "mia", { organization: "guild" }));
  await expect.poll(answerTo("/api/organizations/guild")).toEqual(expect.objectContaining({ name: "Guild" }));
  await expect
    .poll(answerTo("/api/organizations/guild/users"))
    .toEqual(listOf({ username: "olga" }, { username: "mia" }));
  await expect
    .poll(answerTo("/api/organizations/guild/articles"))
    .toEqual(listOf({ path: "/guild/looms-1a" }));
  await post("olga", "/orgs/guild/settings", { name: "The guild" });
  await expect.poll(answerTo("/api/organizations")).toEqual(listOf({ slug: "guild", name: "The guild" }));
});

test("comments come as trees, without the words of those that were taken back", async () => {
  const comment = { type: "comment", author: "cleo", article: "warp-1a" };
  await bring(
    user("cleo"),
    article("warp-1a", "cleo"),
    { ...comment, ref: "a", body_markdown: "_Which_ yarn?" },
    { ...comment, ref: "b", body_markdown: "Wool.", parent: "a", deleted: true },
    { ...comment, ref: "c", body_markdown: "And cotton.", parent: "b" },
  );
  const { id } = await firstOf("/api/articles?username=cleo");
  const [root] = (await get(`/api/comments?a_id=${id}`)) as Record<string, unknown>[];
  expect(root).toMatchObject({
    body_html: "<p><em>Which</em> yarn?</p>\n",
    children: [{ deleted: true, children: [{ body_html: "<p>And cotton.</p>\n", children: [] }] }],
  });
  expect(await get(`/api/comments/${String(root?.["id_code"])}`)).toEqual(root);
  expect(await get(`/api/articles/${id}`)).toMatchObject({ comments_count: 2 });
});

test("episodes of a podcast are listed, and have comments", async () => {
  await bring(
    user("pia"),
    { type: "podcast", slug: "loomcast", title: "Loomcast", owner: "pia" },
    {
      type: "podcast_episode",
      podcast: "loomcast",
      slug: "weft",
      title: "Weft",
      media_url: "https://loomcast.example/weft.mp3",
    },
    { type: "comment", author: "pia", episode: "loomcast/weft", body_markdown: "Hear, hear." },
  );
  const { id } = await firstOf("/api/podcast_episodes?username=loomcast");
  await expect
    .poll(answerTo(`/api/comments?p_id=${id}`))
    .toEqual(listOf({ body_html: "<p>Hear, hear.</p>\n" }));
});

test("reactions are counted, and what is saved stands on its reader's list alone", async () => {
  const reaction = { type: "reaction", article: "dye-1a" };
  await bring(
    ...["rosa", "ravi"].map(user),
    article("dye-1a", "rosa", { imported_reactions_count: 5 }),
    { ...reaction, user: "rosa", category: "like" },
    { ...reaction, user: "ravi", category: "fire" },
    { ...reaction, user: "ravi", category: "readinglist" },
  );
  const { id, public_reactions_count } = await firstOf("/api/articles?username=rosa");
  expect(public_reactions_count).toBe(8);
  const saved = listOf({ status: "valid", article: expect.objectContaining({ id }) as unknown });
  await expect.poll(answerTo("/api/readinglist", await keyOf("ravi"))).toEqual(saved);
  await expect.poll(answerTo("/api/readinglist", await keyOf("rosa"))).toEqual([]);
});

test("a listing is shown to everybody until an admin hides it", async () => {
  await bring(
    user("lou"),
    { type: "listing_category", slug: "lost", name: "Lost and found" },
    { type: "listing", author: "lou", title: "Shuttle", body_markdown: "Of _cherry_", category: "lost" },
  );
  const { id, processed_html } = await firstOf("/api/listings/category/lost");
  expect(processed_html).toBe("<p>Of <em>cherry</em></p>\n");
  await post("ada", `/mod/listing/${id}/unpublish`);
  await expect.poll(answerTo("/api/listings")).toEqual([]);
  await expect.poll(answerTo(`/api/listings/${id}`)).toEqual(expect.objectContaining({ status: 404 }));
  const own = expect.objectContaining({ published: false }) as unknown;
  await expect.poll(answerTo(`/api/listings/${id}`, await keyOf("lou"))).toEqual(own);
});

test("an article with a video is a video", async () => {
  const source = "https://videos.example/loom.mp4";
  const picture = "https://videos.example/loom.png";
  const video = {
    video_source_url: source,
    video_thumbnail_url: picture,
    video_duration_seconds: 707,
  };
  await bring(user("vera"), article("film-1a", "vera", video));
  const shown = { video_duration_in_minutes: "11:47", video_source_url: source, user: { name: "vera" } };
  await expect.poll(answerTo("/api/videos")).toEqual(listOf({ ...shown, cloudinary_video_url: picture }));
});

test("a picture from a file is shown in its sizes, and no more when it is removed", async () => {
  await bring(user("ines"));
  const before = await get("/api/profile_images/ines");
  await withFile(pngOf(40, 40), (path) => inkstone("user", "edit", "ines", "--profile-image", path));
  const stored = expect.stringMatching(/^https:\/\/ink\.example\/uploads\/[0-9a-f]{32}-90\.\w+$/) as unknown;
  await expect
    .poll(answerTo("/api/profile_images/ines"))
    .toEqual(expect.objectContaining({ profile_image_90: stored }));
  const { profile_image } = (await get("/api/profile_images/ines")) as { profile_image: string };
  const path = new URL(profile_image).pathname;
  expect((await reply(path)).headers["content-type"]).toMatch(/^image\//);
  await inkstone("user", "edit", "ines", "--remove-profile-image");
  await expect.poll(answerTo("/api/profile_images/ines")).toEqual(before);
  expect((await reply(path)).status).toBe(404);
});

test("a tag that is merged into another stays as another name of it", async () => {
  await bring(
    user("tara"),
    { type: "tag", name: "garden" },
    { type: "tag", name: "gardening" },
    article("beds-1a", "tara", { tags: ["garden"] }),
    article("pots-1a", "tara", { tags: ["gardening"] }),
  );
  await post("ada", "/admin/tags/garden", { act: "merge", merge_into: "gardening" });
  const both = listOf({ tag_list: ["gardening"] }, { tag_list: ["gardening"] });
  await expect.poll(answerTo("/api/articles?username=tara")).toEqual(both);
  for (const name of ["garden", "gardening"])
    await expect.poll(answerTo(`/api/articles?tag=${name}`)).toEqual(both);
  const tags = (await get("/api/tags?per_page=100")) as { name: string }[];
  expect(tags.map(({ name }) => name)).not.toContain("garden");
});

/** A community that an operator fills with the program, whose server answers meanwhile, with an admin, ada. */
function siteForAll() {
  let world: World;
  let database: string;
  beforeAll(async () => {
    world = await startWorld();
    await world.user({ username: "ada", role: "admin" });
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(world.db);
    database = urlOf(rows[0]?.name ?? "");
  });
  afterAll(() => world.stop());
  const run = commandsWith(() => ({ DATABASE_URL: database, DATA_DIR: world.context.config.dataDir }));

  async function inkstone(...args: string[]): Promise<Record<string, unknown>> {
    const { code, out, err } = await run(...args, "--json");
    expect([code, err]).toEqual([0, ""]);
    return JSON.parse(out) as Record<string, unknown>;
  }

  /** Puts bytes into a file for a command. */
  async function withFile<T>(content: string | Buffer, work: (path: string) => Promise<T>): Promise<T> {
    const path = join(tmpdir(), `inkstone-${randomUUID()}`);
    await writeFile(path, content);
    try {
      return await work(path);
    } finally {
      await rm(path);
    }
  }

  return {
    inkstone,
    withFile,
    /** Imports these records, none of which the site may have already. */
    async bring(...records: object[]): Promise<void> {
      const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
      const tally = await withFile(text, (path) => inkstone("import", path));
      expect(tally).toMatchObject({ created: records.length, skipped: 0 });
    },
    /** A key of this person. */
    async keyOf(user: string): Promise<string> {
      const { api_key } = await inkstone("key", "create", "--user", user, "--description", "Journey");
      return String(api_key);
    },
    /** Sends a form as this person. */
    async post(username: string, url: string, values: Record<string, string> = {}): Promise<void> {
      const person = world.db.selectFrom("users").select("id").where("username", "=", username);
      const { id } = await person.executeTakeFirstOrThrow();
      const { status } = await postForm(world, url, values, { cookie: await cookieFor(world, id) });
      expect(status).toBe(303);
    },
    get: async (url: string, key?: string) => (await world.get(url, { key })).body,
    /** Asks the server, for `expect.poll`. */
    answerTo: (url: string, key?: string) => async () => (await world.get(url, { key })).body,
    /** The first of the things in an answer. */
    async firstOf(url: string): Promise<{ id: number } & Record<string, unknown>> {
      const [first] = (await world.get(url)).body as ({ id: number } & Record<string, unknown>)[];
      if (first === undefined) throw new Error(`${url} is empty`);
      return first;
    },
    reply: (url: string) => world.get(url),
  };
}

/** A list of exactly these, each with at least what is said of it. */
const listOf = (...items: object[]): unknown[] =>
  items.map((item) => expect.objectContaining(item) as unknown);
