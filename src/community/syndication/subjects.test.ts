import { beforeAll, describe, expect, test } from "vitest";
import {
  all,
  feedsOf,
  fill,
  type JsonFeed,
  parseXml,
  textOf,
  type XmlElement,
} from "../../../test/documents.ts";
import { BASE_URL, worldForAll } from "../../../test/world.ts";

let feeds: ReturnType<typeof feedsOf>;
let lenaId: number;
const world = worldForAll({
  now: new Date("2026-03-20T12:00:00Z"),
  settings: { community_name: "Loom Folk", community_description: "People who weave." },
});
beforeAll(async () => {
  feeds = feedsOf(world);
  ({ lenaId } = await fill(world));
});

describe("a feed of one", () => {
  test("person has what they wrote, in any case of the name, under the name they have", async () => {
    expect(await feeds.titles("/feed/lena")).toEqual(["Warp", "Tomatoes & <b>basil</b>"]);
    expect(await feeds.json("/feed/LENA.json")).toMatchObject({
      title: "Lena Ortiz · Loom Folk",
      description: "I grow things.",
      home_page_url: `${BASE_URL}/lena`,
      feed_url: `${BASE_URL}/feed/lena.json`,
      icon: `${BASE_URL}/assets/identicons/user-${lenaId}-640.png`,
    });
    const [image] = all(await feeds.rss("/feed/lena"), "image");
    expect(image?.children.map(({ name, text }) => [name, text])).toEqual([
      ["url", `${BASE_URL}/assets/identicons/user-${lenaId}-640.png`],
      ["title", "Lena Ortiz · Loom Folk"],
      ["link", `${BASE_URL}/lena`],
    ]);
    expect(textOf(await feeds.atom("/feed/lena.atom"), "icon")).toBe(image?.children[0]?.text);
  });

  test("organization has what was published for it", async () => {
    expect(await feeds.titles("/feed/TinkerLab")).toEqual(["Warp"]);
    expect(await feeds.json("/feed/tinkerlab.json")).toMatchObject({
      title: "Tinker Lab · Loom Folk",
      description: "Articles by Tinker Lab.",
      home_page_url: `${BASE_URL}/tinkerlab`,
    });
  });

  test("tag has what carries it, also by another of its names", async () => {
    expect(await feeds.titles("/feed/tag/Garden")).toEqual(["Tomatoes & <b>basil</b>"]);
    expect(await feeds.json("/feed/tag/garden.json")).toMatchObject({
      title: "#gardening · Loom Folk",
      home_page_url: `${BASE_URL}/t/gardening`,
      feed_url: `${BASE_URL}/feed/tag/gardening.json`,
    });
    expect(await feeds.titles("/feed/tag/d%C3%ADa")).toEqual(["Tomatoes & <b>basil</b>"]);
    expect(textOf(await feeds.atom("/feed/tag/d%C3%ADa.atom"), "id")).toBe(`${BASE_URL}/feed/tag/d%C3%ADa`);
  });

  test("search has what it finds", async () => {
    expect(await feeds.titles("/feed/search", "?q=tomatoes")).toEqual(["Tomatoes & <b>basil</b>"]);
    expect(await feeds.titles("/feed/search", "?q=some&tag=garden")).toEqual(["Tomatoes & <b>basil</b>"]);
    expect(await feeds.titles("/feed/search", "?q=nothing")).toEqual([]);
    expect(await feeds.json("/feed/search.json?q=a%26b&other=1")).toMatchObject({
      title: "“a&b” · Loom Folk",
      home_page_url: `${BASE_URL}/search?q=a%26b`,
      feed_url: `${BASE_URL}/feed/search.json?q=a%26b`,
    });
    expect(textOf(await feeds.atom("/feed/search.atom?q=a%26b"), "id")).toBe(
      `${BASE_URL}/feed/search?q=a%26b`,
    );
  });

  test("that has published nothing is empty, and valid", async () => {
    expect(await feeds.titles("/feed/quiet")).toEqual([]);
    expect(await feeds.titles("/feed/tag/unused")).toEqual([]);
    const { text } = await world.get("/feed/quiet.atom");
    expect(textOf(parseXml(text), "updated")).toBe("1970-01-01T00:00:00.000Z");
  });
});

describe("the parts of a long feed", () => {
  test("lead from one to the next without repeating or skipping, in every format", async () => {
    const author = await world.user();
    const dates = Array.from({ length: 45 }, (_, day) => new Date(Date.UTC(2026, 0, day + 1)).toISOString());
    await world.articles(
      dates.map((published_at, index) => ({
        author: author.username,
        title: `Part ${index}`,
        slug: `part-${index}-of`,
        body_markdown: "Some words.",
        published_at,
      })),
    );
    const wanted = dates.map((_, index) => `Part ${44 - index}`);
    const pathOf = (url: string) => url.slice(BASE_URL.length);

    const seen: unknown[] = [];
    let next: string | undefined = `/feed/${author.username}.json`;
    while (next !== undefined) {
      const feed: JsonFeed = await feeds.json(next);
      expect(feed["feed_url"]).toBe(BASE_URL + next);
      seen.push(...feed.items.map(({ title }) => title));
      const nextUrl = feed["next_url"] as string | undefined;
      next = nextUrl && pathOf(nextUrl);
    }
    expect(seen).toEqual(wanted);

    for (const { path, linkName, itemName } of [
      { path: `/feed/${author.username}`, linkName: "atom:link", itemName: "item" },
      { path: `/feed/${author.username}.atom`, linkName: "link", itemName: "entry" },
    ]) {
      const found: unknown[] = [];
      let at: string | undefined = path;
      while (at !== undefined) {
        const feed: XmlElement = itemName === "item" ? await feeds.rss(at) : await feeds.atom(at);
        found.push(...all(feed, itemName).map((item) => textOf(item, "title")));
        const links = all(feed, linkName).map(({ attributes }) => [attributes["rel"], attributes["href"]]);
        const hrefs: Record<string, string | undefined> = Object.fromEntries(links);
        expect(hrefs["self"]).toBe(BASE_URL + at);
        expect(hrefs["first"]).toBe(at === path ? undefined : BASE_URL + path);
        at = hrefs["next"] && pathOf(hrefs["next"]);
      }
      expect(found).toEqual(wanted);
    }
    await world.db.deleteFrom("articles").where("author_id", "=", author.id).execute();
  });
});

describe("a feed is refused", () => {
  test.each([
    ["/feed/nobody", 404],
    ["/feed/nobody.atom", 404],
    ["/feed/le%00na", 404],
    ["/feed/lena.xml", 404],
    ["/feed/lena.JSON", 404],
    ["/feed/", 404],
    ["/feed/tag", 404],
    ["/feed/tag/", 404],
    ["/feed/tag/nothing", 404],
    ["/feed/tag/nothing.json", 404],
    ["/feed/.json", 404],
    ["/feed/lena/more", 404],
  ])("at %s", async (url, status) => {
    expect(await world.get(url)).toMatchObject({ status, body: { error: "not found", status } });
  });

  test.each([
    ["/feed/search", "q is missing: add it to the query"],
    ["/feed/search.json?q=", "q is missing: add it to the query"],
    ["/feed/search?q=a&q=b", "q must be given once, not 2 times"],
    [`/feed/search?q=${"a".repeat(1_001)}`, "q is too long (maximum is 1000 characters)"],
    ["/feed/search?q=a&top=0", 'top must be a whole number from 1 to 36500, not "0"'],
    ["/feed?cursor=abc", "cursor"],
    ["/feed/lena.json?cursor=abc", "cursor"],
  ])("at %s with a sentence", async (url, sentence) => {
    const { status, body } = await world.get(url);
    expect(status).toBe(422);
    expect((body as { error: string }).error).toContain(sentence);
  });

  test("for any method but reading", async () => {
    for (const url of ["/feed", "/feed.json", "/feed/lena.atom", "/feed/tag/gardening", "/feed/search"]) {
      expect(await world.request({ method: "POST", url })).toMatchObject({
        status: 405,
        headers: { allow: "GET, HEAD, OPTIONS" },
      });
    }
  });
});
