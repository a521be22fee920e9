import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString();
const daysAgo = (days: number) => hoursAgo(24 * days);

describe("GET /api/articles", () => {
  const read = async (query: string, path = "/api/articles") => {
    const { status, body } = await world.get(`${path}?${query}`);
    expect(status).toBe(200);
    return (body as { slug: string }[]).map(({ slug }) => slug);
  };

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    const ada = await world.user({ username: "ada" });
    const bo = await world.user({ username: "bo" });
    await world.organization({ username: "guild", members: [{ username: "bo", role: "admin" }] });
    await world.tag({ name: "wool" });
    await world.tag({ name: "yarn", alias_for: "wool" });
    const by = (author: { username: string }, slug: string, fields: object) =>
      world.article(author, { slug, ...fields });
    await by(ada, "fresh", { tags: ["wool"], published_at: hoursAgo(2), imported_reactions_count: 1 });
    await by(ada, "rising", {
      tags: ["wool", "felt"],
      published_at: hoursAgo(50),
      imported_reactions_count: 25,
    });
    await by(ada, "loved", {
      tags: ["felt", "café"],
      published_at: daysAgo(60),
      imported_reactions_count: 500,
    });
    await by(bo, "part-two", { series: "Looms", published_at: daysAgo(8), imported_reactions_count: 3 });
    await by(bo, "part-one", { series: "Looms", published_at: daysAgo(9), organization: "guild" });
    await by(bo, "draft", { published: false, tags: ["wool"] });
    await by(bo, "to-come", { published_at: daysAgo(-1), tags: ["wool"] });
  });

  test("lists all that is published, the hottest first", async () => {
    expect(await read("")).toEqual(["fresh", "loved", "rising", "part-two", "part-one"]);
  });

  test("latest lists the newest first, and filters too", async () => {
    const newest = ["fresh", "rising", "part-two", "part-one", "loved"];
    expect(await read("", "/api/articles/latest")).toEqual(newest);
    expect(await read("username=bo&top=30", "/api/articles/latest")).toEqual(["part-two", "part-one"]);
    expect(await read("sort=asc", "/api/articles/latest")).toEqual(newest);
  });

  test.each([
    ["tag=wool", ["fresh", "rising"]],
    ["tag=WOOL", ["fresh", "rising"]],
    ["tag=yarn", ["fresh", "rising"]],
    ["tag=wo", []],
    ["tag=cafe%CC%81", ["loved"]],
    ["tag=wool&top=1", ["fresh"]],
    ["tag=felt&top=100", ["loved", "rising"]],
    ["tags=wool,felt", ["loved", "rising", "fresh"]],
    ["tags=%20felt%20,,", ["loved", "rising"]],
    ["tags=nosuch", []],
    ["tags_exclude=wool", ["loved", "part-two", "part-one"]],
    ["tags_exclude=nosuch", ["loved", "rising", "part-two", "fresh", "part-one"]],
    ["tags=felt&tags_exclude=wool", ["loved"]],
    ["username=ada", ["fresh", "rising", "loved"]],
    ["username=BO", ["part-two", "part-one"]],
    ["username=guild", ["part-one"]],
    ["username=nobody", []],
    ["username=%00%27%ff", []],
    ["username=ada&state=all", ["fresh", "rising", "loved"]],
    ["state=fresh", ["fresh"]],
    ["state=rising", ["rising"]],
    ["state=recent", ["fresh", "rising", "part-two", "part-one", "loved"]],
    ["state=all", []],
    ["state=constructor", []],
    ["top=30", ["rising", "part-two", "fresh", "part-one"]],
    ["sort=asc", ["loved", "part-one", "part-two", "rising", "fresh"]],
    ["sort=desc&tag=felt", ["rising", "loved"]],
    ["tag=wool&username=ada&top=30", ["rising", "fresh"]],
    ["tag=wool&username=bo", []],
    ["collection_id=987654", []],
    ["page=2", []],
    ["tag=wool&page=3", []],
    ["page=2147483647&per_page=1000", []],
    ["page=&tag=&top=", ["fresh", "loved", "rising", "part-two", "part-one"]],
  ])("%s", async (query, slugs) => {
    expect(await read(query)).toEqual(slugs);
  });

  test("a series is read from its first part on", async () => {
    const { body } = await world.get("/api/articles/part-one");
    const { collection_id } = body as { collection_id: number };
    expect(await read(`collection_id=${collection_id}`)).toEqual(["part-one", "part-two"]);
  });

  test.each([
    ["sort=up", 'sort must be one of desc, asc, not "up"'],
    ["page=0", 'page must be a whole number from 1 to 2147483647, not "0"'],
    ["per_page=1001", 'per_page must be a whole number from 1 to 1000, not "1001"'],
    ["collection_id=abc", "collection_id must be a whole number"],
    ["tag=a&tag=b", "tag must be given once, not 2 times"],
  ])("refuses %s and says why", async (query, sentence) => {
    const { status, body } = await world.get(`/api/articles?${query}`);
    expect(status).toBe(422);
    expect((body as { error: string }).error).toContain(sentence);
  });

  test.each(["", "sort=asc", "sort=desc", "top=365", "tag=wool", "username=ada", "tags_exclude=nosuch"])(
    "the next links of ?%s lead through the whole list, each article once",
    async (query) => {
      const all = await read(`${query}&per_page=1000`);
      const seen: string[] = [];
      let url: string | undefined = `/api/articles?${query}&per_page=1`;
      for (let pages = 0; url !== undefined && pages < 10; pages++) {
        const { body, headers } = await world.get(url);
        seen.push(...(body as { slug: string }[]).map(({ slug }) => slug));
        url = /<https:\/\/ink\.example([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
      }
      expect(seen).toEqual(all);
    },
  );

  test("links to the first, previous and next page, keeping the filters", async () => {
    const { headers } = await world.get("/api/articles?username=ada&per_page=1&page=2");
    expect(headers["link"]).toContain(
      '<https://ink.example/api/articles?per_page=1&username=ada&page=1>; rel="first"',
    );
    expect(headers["link"]).toContain('&page=1>; rel="prev"');
    expect(headers["link"]).toMatch(/&cursor=[\w-]+>; rel="next"/);
  });

  test.each(["", "sort=asc", "top=365", "tag=wool", "username=ada"])(
    "the last page of ?%s names no next one, though it is full",
    async (query) => {
      const { length } = await read(query);
      const { body, headers } = await world.get(`/api/articles?${query}&per_page=${length}`);
      expect((body as unknown[]).length).toBe(length);
      expect(headers["link"]).not.toContain('rel="next"');
    },
  );

  test.each(["tag=nosuch&cursor=zzz", "username=nobody&cursor=zzz"])(
    "a wrong cursor is refused also where nothing matches: %s",
    async (query) => {
      expect((await world.get(`/api/articles?${query}`)).status).toBe(422);
    },
  );

  test.each(["0000-01-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "now"])(
    "a cursor with the date %s is refused",
    async (date) => {
      const cursor = Buffer.from(JSON.stringify(["newest", date, 1])).toString("base64url");
      expect((await world.get(`/api/articles/latest?cursor=${cursor}`)).status).toBe(422);
      expect(world.bugs).toEqual([]);
    },
  );

  test("a cursor of another order is refused", async () => {
    const { headers } = await world.get("/api/articles?per_page=1");
    const cursor = /cursor=([\w-]+)/.exec(String(headers["link"]))?.[1];
    expect((await world.get(`/api/articles/latest?cursor=${cursor}`)).status).toBe(422);
  });

  test("shows an article as lists do", async () => {
    const { body } = await world.get("/api/articles?username=ada&per_page=1&sort=desc");
    expect(body).toEqual([
      {
        type_of: "article",
        id: expect.any(Number),
        title: expect.any(String),
        description: "Some words.",
        readable_publish_date: "Mar 31",
        slug: "fresh",
        path: "/ada/fresh",
        url: "https://ink.example/ada/fresh",
        comments_count: 0,
        public_reactions_count: 1,
        positive_reactions_count: 1,
        collection_id: null,
        published_timestamp: "2026-03-31T10:00:00Z",
        cover_image: null,
        social_image: expect.stringMatching(/^https:\/\/ink\.example\/assets\/cards\/\d+-[0-9a-f]{16}\.png$/),
        canonical_url: "https://ink.example/ada/fresh",
        created_at: "2026-03-31T10:00:00Z",
        edited_at: null,
        crossposted_at: null,
        published_at: "2026-03-31T10:00:00Z",
        last_comment_at: "2026-03-31T10:00:00Z",
        reading_time_minutes: 1,
        tag_list: ["wool"],
        tags: "wool",
        user: {
          name: "ada",
          username: "ada",
          microblog_username: null,
          codehost_username: null,
          user_id: expect.any(Number),
          website_url: null,
          profile_image: expect.stringMatching(
            /^https:\/\/ink\.example\/assets\/identicons\/user-\d+-640\.png$/,
          ),
          profile_image_90: expect.stringMatching(/\/assets\/identicons\/user-\d+-90\.png$/),
        },
      },
    ]);
  });

  test("shows the organization and the tag that says what kind of article it is", async () => {
    await world.tag({ name: "discuss", bg_color_hex: "#000000", text_color_hex: "#ffffff" });
    await world.tag({ name: "help" });
    const cleo = await world.user({ username: "cleo" });
    await world.article(cleo, { slug: "asked", tags: ["discuss", "help", "wool"] });
    const { body } = await world.get("/api/articles?username=cleo");
    expect(body).toMatchObject([{ flare_tag: { name: "help", bg_color_hex: null, text_color_hex: null } }]);
    const guild = await world.get("/api/articles?username=guild");
    expect(guild.body).toMatchObject([
      { path: "/guild/part-one", organization: { name: "guild", username: "guild", slug: "guild" } },
    ]);
  });

  test("a changed author, organization or tag shows at once", async () => {
    await world.user({ username: "bo", name: "Bo the Second" });
    await world.organization({ username: "guild", name: "The Guild", members: [] });
    const { body } = await world.get("/api/articles?username=guild");
    expect(body).toMatchObject([{ user: { name: "Bo the Second" }, organization: { name: "The Guild" } }]);
  });
});
