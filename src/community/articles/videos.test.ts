import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";
import { listQuery } from "./lists/query.ts";
import { duration } from "./view.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const OLD = { published_at: "2026-01-02T03:04:05Z" };
const SOURCE = "https://videos.example/loom.m3u8";
const PICTURE = "https://pictures.example/loom.png";

let ada: Awaited<ReturnType<World["user"]>>;
let key: string;
const world = worldForAll({ now: NOW });
beforeAll(async () => {
  ada = await world.user({ username: "ada", name: "Ada" });
  await world.organization({ username: "tinkerlab" });
  key = await world.key(ada);
});
beforeEach(async () => {
  await sql`truncate articles cascade`.execute(world.superuser);
  await sql`update published_counts set delta = 0`.execute(world.db);
});

interface Item {
  id: number;
  title: string;
  cloudinary_video_url: string;
  video_duration_in_minutes: string;
}

async function ask(query = ""): Promise<Item[]> {
  const { status, body } = await world.get(`/api/videos${query}`);
  expect(status).toBe(200);
  return body as Item[];
}

const titles = async (query?: string) => (await ask(query)).map(({ title }) => title);
const video = (title: string, more: object = {}) =>
  world.article(ada, { title, video_source_url: SOURCE, video_thumbnail_url: PICTURE, ...OLD, ...more });

const post = (fields: object) =>
  world.request({
    method: "POST",
    url: "/api/articles",
    key,
    body: { article: { title: `New ${Math.random()}`, published: true, body_markdown: "Text.", ...fields } },
  });

describe("GET /api/videos", () => {
  test("is empty without one, and shows what a player needs of one", async () => {
    await world.article(ada);
    expect(await ask()).toEqual([]);
    const more = { slug: "loom-1a", organization: "tinkerlab", video_duration_seconds: 707 };
    const { id } = await video("Warping a loom", more);
    expect(await ask()).toEqual([
      {
        type_of: "video_article",
        id,
        path: "/tinkerlab/loom-1a",
        cloudinary_video_url: PICTURE,
        title: "Warping a loom",
        user_id: ada.id,
        video_duration_in_minutes: "11:47",
        video_source_url: SOURCE,
        user: { name: "Ada" },
      },
    ]);
  });

  test("has the hottest first, and leaves out what is voted down or not published", async () => {
    await video("Cold");
    await video("Loved", { imported_reactions_count: 50 });
    await video("Fresh", { published_at: "2026-03-31T11:30:00Z" });
    await video("Disliked", { score: -3 });
    await video("Hated", { score: -4 });
    await video("Draft", { published: false });
    await video("Later", { published_at: "2026-04-02T00:00:00Z" });
    await world.article(ada, { title: "Text only" });
    expect(await titles()).toEqual(["Fresh", "Loved", "Cold", "Disliked"]);
  });

  test("is cut in pages of 24, whose links lead through all of it", async () => {
    const made = Array.from({ length: 30 }, (_, n) => `Video ${n}`);
    for (const [n, title] of made.entries()) await video(title, { imported_reactions_count: 30 - n });
    expect(await titles()).toEqual(made.slice(0, 24));
    expect(await titles("?page=2")).toEqual(made.slice(24));
    expect(await titles("?page=2&per_page=7")).toEqual(made.slice(7, 14));
    expect(await ask("?page=3")).toEqual([]);
    expect(await ask("?page=2147483647")).toEqual([]);
    const { headers } = await world.get("/api/videos");
    const next = /<https:\/\/ink\.example([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    const { body, headers: last } = await world.get(String(next));
    expect((body as Item[]).map(({ title }) => title)).toEqual(made.slice(24));
    expect(String(last["link"])).not.toContain("next");
  });

  test.each(["per_page=1001", "per_page=0", "page=0", "cursor=nonsense"])("refuses %s", async (query) => {
    expect(await world.get(`/api/videos?${query}`)).toMatchObject({ status: 422 });
  });

  test("costs as many statements for a page of thirty as for one of one", async () => {
    for (let n = 0; n < 30; n++) await video(`Video ${n}`);
    const counts = [];
    for (const perPage of [1, 30]) {
      const page = async () => expect(await ask(`?per_page=${perPage}`)).toHaveLength(perPage);
      counts.push(await world.countStatements(page));
    }
    expect(counts[1]).toBeLessThanOrEqual(counts[0] as number);
    expect(counts[1]).toBeLessThanOrEqual(3);
  });

  test("reads an index of videos alone", async () => {
    await sql`set enable_seqscan = off`.execute(world.db);
    const filter = { hasVideo: true, scoreAbove: -4, order: "hotness", now: new Date() } as const;
    const query = listQuery({ ...filter, limit: 25, offset: 0 });
    const { rows } = await sql`explain (format json) ${query}`.execute(world.db);
    expect(JSON.stringify(rows)).toContain('"Index Name":"published_videos"');
  });
});

describe("the picture of a video", () => {
  test("is that of the record, else YouTube's, else the article's; without one it isn't listed", async () => {
    const youtube = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
    const none = { video_thumbnail_url: "" };
    const cover = "https://pictures.example/cover.png";
    await video("Own", { video_source_url: youtube, imported_reactions_count: 3 });
    await video("YouTube", {
      ...none,
      video_source_url: youtube,
      main_image: cover,
      imported_reactions_count: 2,
    });
    await video("Cover", { ...none, main_image: cover, imported_reactions_count: 1 });
    await video("None", none);
    expect((await ask()).map((item) => [item.title, item.cloudinary_video_url])).toEqual([
      ["Own", PICTURE],
      ["YouTube", "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg"],
      ["Cover", cover],
    ]);
  });

  test("and its length belong to it: another video brings others, and no video none", async () => {
    const { id } = await video("Loom", { video_duration_seconds: 90 });
    const put = (article: object) =>
      world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article } });
    await put({ title: "Another title", video_source_url: SOURCE });
    expect(await ask()).toMatchObject([
      { cloudinary_video_url: PICTURE, video_duration_in_minutes: "1:30", title: "Another title" },
    ]);
    await put({ video_source_url: "https://youtu.be/dQw4w9WgXcQ" });
    expect(await ask()).toMatchObject([
      {
        cloudinary_video_url: "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg",
        video_duration_in_minutes: "0:00",
      },
    ]);
    await put({ video_source_url: "" });
    expect(await ask()).toEqual([]);
  });
});

describe("a video", () => {
  test("comes from an attribute or from front matter", async () => {
    const main_image = PICTURE;
    expect(await post({ video_source_url: SOURCE, main_image })).toMatchObject({ status: 201 });
    const body_markdown = `---\ntitle: By front matter\npublished: true\nvideo: ${SOURCE}\ncover_image: ${PICTURE}\n---\nText.`;
    expect(await post({ body_markdown })).toMatchObject({ status: 201 });
    expect(await ask()).toMatchObject([
      { title: "By front matter", video_source_url: SOURCE, cloudinary_video_url: PICTURE },
      { video_source_url: SOURCE, cloudinary_video_url: PICTURE },
    ]);
  });

  test("leaves the list with its article, and comes back with it", async () => {
    const { id } = await video("Loom");
    const publish = (published: boolean) =>
      world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article: { published } } });
    await publish(false);
    expect(await ask()).toEqual([]);
    await publish(true);
    expect(await titles()).toEqual(["Loom"]);
  });
});

test.each([
  [0, "0:00"],
  [9, "0:09"],
  [309, "5:09"],
  [707, "11:47"],
  [3_599, "59:59"],
  [3_600, "1:00:00"],
  [3_723, "1:02:03"],
  [360_000, "100:00:00"],
])("%d seconds are %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
