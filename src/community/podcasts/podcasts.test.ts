import { beforeAll, describe, expect, test } from "vitest";
import { exportOf, importsInto, user } from "../../../test/community-file.ts";
import { databaseForEach } from "../../../test/own-database.ts";
import { worldForAll } from "../../../test/world.ts";

describe("GET /api/podcast_episodes", () => {
  const get = (query = "") => world.get(`/api/podcast_episodes${query}`);
  const titles = async (query = "") =>
    ((await get(query)).body as { title: string }[]).map(({ title }) => title);

  const world = worldForAll();
  beforeAll(async () => {
    const picture = "https://loomcast.example/cover.png";
    await world.podcast({ slug: "loomcast", title: "Loomcast", image_url: picture });
    await world.podcast({ slug: "other-cast", title: "Other" });
    await world.podcast({ slug: "silent", published: false });
    await world.podcast({ slug: "broken" });
    const day = (n: number) => ({ published_at: `2026-03-0${n}T00:00:00Z` });
    await world.episode("loomcast", { slug: "ep-4", title: "Four", ...day(4) });
    await world.episode("loomcast", { slug: "ep-5", title: "Five", ...day(4) });
    await world.episode("loomcast", { title: "Undated" });
    await world.episode("other-cast", {
      title: "Elsewhere",
      image_url: "https://x.example/e.png",
      ...day(9),
    });
    await world.episode("silent", { title: "Unpublished", ...day(8) });
    await world.episode("broken", { title: "Unreachable", reachable: false, ...day(8) });
  });

  test("lists what can be heard of published podcasts, the newest first", async () => {
    expect(await titles()).toEqual(["Elsewhere", "Five", "Four", "Undated"]);
    expect((await get("?username=loomcast&per_page=1&page=2")).body).toEqual([
      {
        type_of: "podcast_episodes",
        class_name: "PodcastEpisode",
        id: 1,
        path: "/loomcast/ep-4",
        title: "Four",
        image_url: "https://loomcast.example/cover.png",
        podcast: { title: "Loomcast", slug: "loomcast", image_url: "https://loomcast.example/cover.png" },
      },
    ]);
  });

  test("shows a pattern for a podcast without a picture, and for its episodes without one", async () => {
    const pattern = /^https:\/\/ink\.example\/assets\/identicons\/podcast-\d+-640\.png$/;
    expect((await get("?username=other-cast")).body).toMatchObject([
      { image_url: "https://x.example/e.png", podcast: { image_url: expect.stringMatching(pattern) } },
    ]);
    await world.podcast({ slug: "plain" });
    const { id } = await world.episode("plain", { title: "Plain" });
    const { body } = await get("?username=plain");
    const [episode] = body as { image_url: string; podcast: { image_url: string } }[];
    expect(episode?.image_url).toMatch(pattern);
    expect(episode?.podcast.image_url).toBe(episode?.image_url);
    const picture = await world.app.inject(new URL(episode?.image_url ?? "").pathname);
    expect([picture.statusCode, picture.headers["content-type"]]).toEqual([200, "image/png"]);
    await world.db.deleteFrom("podcast_episodes").where("id", "=", id).execute();
  });

  test("cuts pages, is empty past the end, and finds a podcast in any case", async () => {
    expect(await titles("?per_page=3&page=2")).toEqual(["Undated"]);
    expect(await get("?page=3&per_page=3")).toMatchObject({ status: 200, body: [] });
    expect(await get("?page=2147483647")).toMatchObject({ status: 200, body: [] });
    expect(await get("?username=loomcast&page=2147483647")).toMatchObject({ status: 200, body: [] });
    expect(String((await get("?per_page=3")).headers["link"])).toContain('page=2>; rel="next"');
    expect(await titles("?username=LoomCast")).toEqual(["Five", "Four", "Undated"]);
  });

  test.each(["nobody", "silent", "broken", "%00", "a%20b", "x"])("answers 404 for %s", async (name) => {
    expect((await get(`?username=${name}`)).status).toBe(404);
    expect((await get(`?username=${name}&page=2147483647`)).status).toBe(404);
  });

  test.each(["page=0", "page=x", "per_page=0", "per_page=1001", "per_page=1.5"])(
    "%s is refused",
    async (query) => {
      expect((await get(`?${query}`)).status).toBe(422);
    },
  );
});

describe("podcasts in a community file", () => {
  const database = databaseForEach();
  const { load } = importsInto(database);
  const podcast = (more: object = {}) => ({ type: "podcast", slug: "loomcast", title: "Loomcast", ...more });
  const episode = (more: object = {}) => ({
    type: "podcast_episode",
    podcast: "loomcast",
    slug: "ep-1",
    title: "One",
    media_url: "https://media.example/1.mp3",
    ...more,
  });
  const exported = () => exportOf(database.db, { only: ["podcast", "podcast_episode"] });

  test("come back as they were, and change nothing the second time", async () => {
    const lines = [
      user("lena"),
      podcast({ id: 7, owner: "Lena", description: "Of looms", feed_url: "https://x.example/feed" }),
      podcast({ slug: "second-one", published: false }),
      episode({ id: 9, summary: "The weft", published_at: "2026-03-01T00:00:00Z", duration_seconds: 60 }),
      episode({ podcast: "second-one", reachable: false }),
    ];
    expect(await load(lines)).toMatchObject({ created: 5 });
    expect(await load(lines)).toMatchObject({ created: 0, updated: 0, unchanged: 5 });
    const text = await exported();
    await database.db.deleteFrom("podcasts").execute();
    await database.db.deleteFrom("handles").where("kind", "=", "podcast").execute();
    expect(await load([text])).toMatchObject({ created: 4 });
    expect(await exported()).toBe(text);
    expect(text).toContain('"id":7,"owner":"lena","description":"Of looms"');
  });

  test("are read from their feeds from then on, which the import itself doesn't do", async () => {
    const scheduled = () =>
      database.db.selectFrom("fetches").select(["kind", "fetched_at"]).orderBy("kind", "desc").execute();
    const lines = [podcast({ feed_url: "https://x.example/feed" }), podcast({ slug: "other" })];
    await load([...lines, episode(), episode({ podcast: "other" })]);
    expect(await scheduled()).toEqual([
      { kind: "podcast", fetched_at: null },
      { kind: "episode", fetched_at: null },
    ]);
    const readAt = new Date("2026-03-02T10:00:00Z");
    const know = () => database.db.updateTable("fetches").set({ fetched_at: readAt, etag: '"v1"' }).execute();
    await know();
    await load(lines);
    expect(await scheduled()).toMatchObject([{ fetched_at: readAt }, { fetched_at: readAt }]);
    await load([podcast({ feed_url: "https://elsewhere.example/feed" })]);
    expect(await scheduled()).toMatchObject([{ fetched_at: null }, { fetched_at: readAt }]);
    await load([episode({ media_url: "https://media.example/other.mp3" })]);
    expect(await scheduled()).toMatchObject([{ fetched_at: null }, { fetched_at: null }]);
    await load([podcast({ feed_url: "" })]);
    expect(await scheduled()).toEqual([]);
  });

  test("have the names that their feed has for them, by which they are found again", async () => {
    await load([podcast(), episode({ guid: "a" }), episode({ slug: "ep-2", guid: "b" })]);
    const text = await exported();
    expect(text).toContain('"guid":"a"');
    expect(await load([episode({ slug: "one-again", guid: "a", title: "One again" })])).toMatchObject({
      created: 0,
      updated: 1,
    });
    expect(await exported()).toContain('"slug":"one-again","title":"One again"');
    await expect(load([episode({ slug: "one-again", guid: "b" })])).rejects.toThrow(
      'guid "b" is that of the episode "ep-2"',
    );
    await expect(load([episode({ slug: "x", guid: "c".repeat(501) })])).rejects.toThrow("guid");
    await load([episode({ slug: "one-again", guid: "" })]);
    expect(await exported()).not.toContain('"guid":"a"');
  });

  test("have notes that are safe", async () => {
    await load([podcast(), episode({ summary: "<p onclick=x()>AT&T <script>x()</script>" })]);
    const text = await exported();
    expect(text).toContain('"summary":"<p>AT&amp;T </p>"');
    await load([text]);
    expect(await exported()).toBe(text);
  });

  test("are changed by what a record says, and keep what it doesn't", async () => {
    await load([podcast({ description: "Of looms" }), episode({ summary: "The weft" })]);
    const changed = [podcast({ published: false }), episode({ title: "Two", summary: "" })];
    expect(await load(changed)).toMatchObject({ updated: 2 });
    expect(await exported()).toMatch(
      /"description":"Of looms","published":false[^]*"title":"Two","media_url"/,
    );
    expect(await exported()).not.toContain("weft");
  });

  test("share their names with people and organizations", async () => {
    await load([user("lena"), podcast()]);
    await expect(load([podcast({ slug: "lena" })])).rejects.toThrow("is the username of a user");
    await expect(load([user("loomcast")])).rejects.toThrow("Username has already been taken by a podcast");
  });

  test.each([
    [podcast({ slug: "a b" }), 'slug "a b" must have 2 to 100'],
    [podcast({ slug: "42" }), "not be a number"],
    [podcast({ slug: "api" }), 'slug "api" is reserved'],
    [podcast({ slug: "other", title: "" }), "title can't be blank"],
    [podcast({ slug: "other", owner: "nobody" }), 'owner "nobody" is not a user'],
    [
      podcast({ slug: "other", feed_url: "javascript:alert(1)" }),
      "feed_url must be a full http or https address",
    ],
    [episode({ podcast: "none" }), 'podcast "none" is not one of the site'],
    [episode({ media_url: "" }), "media_url can't be blank"],
    [episode({ media_url: "file:///etc/passwd" }), "media_url must be a full http or https address"],
    [episode({ slug: "A" }), "slug must be of the letters a-z"],
  ])("%j is refused, and nothing is kept", async (record, sentence) => {
    await load([podcast()]);
    const before = await exported();
    await expect(load([episode({ slug: "good" }), record])).rejects.toThrow(sentence);
    expect(await exported()).toBe(before);
  });
});
