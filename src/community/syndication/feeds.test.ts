import { beforeAll, describe, expect, test } from "vitest";
import { all, feedsOf, fill, textOf, type XmlElement } from "../../../test/documents.ts";
import { BASE_URL, worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";

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

const omar = { username: "omar" };

const idOf = async (slug: string) =>
  (await world.db.selectFrom("articles").select("id").where("slug", "=", slug).executeTakeFirstOrThrow()).id;

describe("a feed", () => {
  test("of the community has what is published, the newest first", async () => {
    expect(await feeds.titles("/feed")).toEqual(["Looms", "Warp", "Tomatoes & <b>basil</b>"]);
  });

  test("is RSS 2.0 with everything that readers of it look for", async () => {
    const channel = await feeds.rss("/feed");
    expect(Object.fromEntries(channel.children.map(({ name, text }) => [name, text]))).toMatchObject({
      title: "Loom Folk",
      link: `${BASE_URL}/`,
      description: "People who weave.",
      language: "en",
      lastBuildDate: "Thu, 05 Mar 2026 09:15:00 GMT",
    });
    expect(all(channel, "atom:link").map(({ attributes }) => attributes)).toEqual([
      { rel: "self", type: "application/rss+xml", href: `${BASE_URL}/feed` },
    ]);
    const item = all(channel, "item")[2] as XmlElement;
    expect(item.children.map(({ name, attributes, text }) => [name, text, attributes])).toEqual([
      ["title", "Tomatoes & <b>basil</b>", {}],
      ["link", `${BASE_URL}/lena/tomatoes-1a`, {}],
      ["guid", `${BASE_URL}/api/articles/${await idOf("tomatoes-1a")}`, { isPermaLink: "false" }],
      ["pubDate", "Mon, 02 Mar 2026 09:15:00 GMT", {}],
      ["atom:updated", "2026-03-03T10:00:00.000Z", {}],
      ["dc:creator", "Lena Ortiz", {}],
      ["category", "gardening", {}],
      ["category", "día", {}],
      ["description", "Less &lt; more", {}],
      ["content:encoded", expect.stringContaining("Some <em>words</em>"), {}],
      ["media:content", "", { url: "https://pictures.example/a.png?b=1&c=2", medium: "image" }],
    ]);
  });

  test("is Atom with the same", async () => {
    const feed = await feeds.atom("/feed.atom");
    expect(feed.attributes).toMatchObject({ xmlns: "http://www.w3.org/2005/Atom", "xml:lang": "en" });
    expect(Object.fromEntries(feed.children.map(({ name, text }) => [name, text]))).toMatchObject({
      id: `${BASE_URL}/feed`,
      title: "Loom Folk",
      subtitle: "People who weave.",
      updated: "2026-03-05T09:15:00.000Z",
    });
    expect(all(feed, "link").map(({ attributes }) => attributes)).toEqual([
      { rel: "alternate", type: "text/html", href: `${BASE_URL}/` },
      { rel: "self", type: "application/atom+xml", href: `${BASE_URL}/feed.atom` },
    ]);
    const entry = all(feed, "entry")[2] as XmlElement;
    expect(entry.children.map(({ name, attributes, text }) => [name, text, attributes])).toEqual([
      ["id", `${BASE_URL}/api/articles/${await idOf("tomatoes-1a")}`, {}],
      ["title", "Tomatoes & <b>basil</b>", {}],
      ["link", "", { rel: "alternate", type: "text/html", href: `${BASE_URL}/lena/tomatoes-1a` }],
      ["published", "2026-03-02T09:15:00.000Z", {}],
      ["updated", "2026-03-03T10:00:00.000Z", {}],
      ["author", "", {}],
      ["category", "", { term: "gardening" }],
      ["category", "", { term: "día" }],
      ["summary", "Less < more", {}],
      ["content", expect.stringContaining("Some <em>words</em>"), { type: "html" }],
      ["media:content", "", { url: "https://pictures.example/a.png?b=1&c=2", medium: "image" }],
    ]);
    const author = all(entry, "author")[0] as XmlElement;
    expect([textOf(author, "name"), textOf(author, "uri")]).toEqual(["Lena Ortiz", `${BASE_URL}/lena`]);
  });

  test("is JSON Feed 1.1 with the same", async () => {
    const { items, ...feed } = await feeds.json("/feed.json");
    expect(feed).toEqual({
      version: "https://jsonfeed.org/version/1.1",
      title: "Loom Folk",
      description: "People who weave.",
      home_page_url: `${BASE_URL}/`,
      feed_url: `${BASE_URL}/feed.json`,
      language: "en",
    });
    expect(items[2]).toEqual({
      id: `${BASE_URL}/api/articles/${await idOf("tomatoes-1a")}`,
      url: `${BASE_URL}/lena/tomatoes-1a`,
      title: "Tomatoes & <b>basil</b>",
      summary: "Less < more",
      content_html: expect.stringContaining("Some <em>words</em>"),
      image: "https://pictures.example/a.png?b=1&c=2",
      date_published: "2026-03-02T09:15:00.000Z",
      date_modified: "2026-03-03T10:00:00.000Z",
      authors: [
        {
          name: "Lena Ortiz",
          url: `${BASE_URL}/lena`,
          avatar: `${BASE_URL}/assets/identicons/user-${lenaId}-640.png`,
        },
      ],
      tags: ["gardening", "día"],
    });
  });

  test("has addresses that lead somewhere from everywhere", async () => {
    const { items } = await feeds.json("/feed/lena.json");
    const html = String(items.find(({ title }) => String(title).startsWith("Tomatoes"))?.["content_html"]);
    expect(html).toContain(`href="${BASE_URL}/lena/other#end"`);
    expect(html).toContain(`src="${BASE_URL}/uploads/leaf.png"`);
  });

  test("names an article the same when it has another address", async () => {
    const ids = async () => (await feeds.json("/feed.json")).items.map(({ id, url }) => [id, url]);
    const article = { slug: "moved-5e", title: "Moved", published_at: "2026-03-01T00:00:00Z" };
    const { id } = await world.article(omar, article);
    const [before] = (await ids()).filter(([one]) => String(one).endsWith(`/${id}`));
    await world.article(omar, { ...article, organization: "tinkerlab" });
    const [after] = (await ids()).filter(([one]) => String(one).endsWith(`/${id}`));
    expect([before?.[1], after?.[1]]).toEqual([
      `${BASE_URL}/omar/moved-5e`,
      `${BASE_URL}/tinkerlab/moved-5e`,
    ]);
    expect(after?.[0]).toBe(before?.[0]);
    await world.db.deleteFrom("articles").where("id", "=", id).execute();
  });

  test("shows what is very long by its description, and the next ones whole", async () => {
    const author = await world.user();
    await world.article(author, { title: "Short", published_at: "2026-03-01T00:00:00Z" });
    const body_markdown = "word ".repeat(27_000);
    await world.article(author, {
      title: "Long",
      description: "It goes on.",
      body_markdown,
      published_at: "2026-03-02T00:00:00Z",
    });
    const [long, short] = (await feeds.json(`/feed/${author.username}.json`)).items;
    expect(long).toMatchObject({ title: "Long", content_text: "It goes on." });
    expect(long).not.toHaveProperty("content_html");
    expect(short).toMatchObject({ title: "Short", content_html: "<p>Some words.</p>\n" });
    const ofRss = all(await feeds.rss(`/feed/${author.username}`), "item");
    expect(ofRss.map((item) => textOf(item, "content:encoded"))).toEqual([undefined, "<p>Some words.</p>\n"]);
    const ofAtom = all(await feeds.atom(`/feed/${author.username}.atom`), "entry");
    expect(ofAtom.map((entry) => textOf(entry, "content"))).toEqual([undefined, "<p>Some words.</p>\n"]);
    await world.db.deleteFrom("articles").where("author_id", "=", author.id).execute();
  });

  test("has the language that is set", async () => {
    await settings.set(world.db, "search_language", "german");
    expect(textOf(await feeds.rss("/feed"), "language")).toBe("de");
    expect((await feeds.json("/feed.json")).language).toBe("de");
  });

  test("doesn't say which language it has where none is set", async () => {
    await settings.set(world.db, "search_language", "simple");
    expect(textOf(await feeds.rss("/feed"), "language")).toBeUndefined();
    expect((await feeds.atom("/feed.atom")).attributes).not.toHaveProperty("xml:lang");
    expect(await feeds.json("/feed.json")).not.toHaveProperty("language");
    await settings.set(world.db, "search_language", "english");
  });
});
