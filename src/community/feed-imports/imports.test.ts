import { describe, expect, test } from "vitest";
import { atom, importing, jsonFeed, NOW, type Post, rss } from "../../../test/fetching.ts";

const site = importing();

const POST: Post = {
  title: "Warping a loom",
  html: '<p>Take <em>wool</em> and see <a href="../cards">cards</a>.</p><script>steal()</script>',
  link: "https://blog.example/posts/warping",
  guid: "post-1",
  tags: ["Wool", "#looms", "not a tag!"],
};

describe("a feed becomes drafts", () => {
  test.each([
    ["RSS", rss([{ ...POST, date: "Mon, 02 Mar 2026 09:15:00 GMT" }])],
    ["Atom", atom([{ ...POST, date: "2026-03-02T09:15:00Z" }])],
    ["JSON Feed", jsonFeed([{ ...POST, date: "2026-03-02T09:15:00Z" }])],
  ])("from %s, which only their author sees", async (_format, body) => {
    const author = await site.author();
    const key = await site.world.key(author);
    site.says(body);
    expect(await site.add(author)).toMatchObject({ imported: 1, skipped: 0, problem: null, publish: false });
    const { body: own } = await site.world.get("/api/articles/me/unpublished", { key });
    expect(own).toMatchObject([
      {
        title: "Warping a loom",
        body_markdown: "Take *wool* and see [cards](https://blog.example/cards).",
        description: "Take wool and see cards.",
        canonical_url: "https://blog.example/posts/warping",
        tag_list: ["wool", "looms", "notatag"],
        published: false,
        published_at: null,
        user: { username: author.username },
      },
    ]);
    const [{ id } = { id: 0 }] = own as { id: number }[];
    const { body: single } = await site.world.get(`/api/articles/${id}`, { key });
    expect(single).toMatchObject({ crossposted_at: null });
    expect((await site.world.get(`/api/articles/${id}`)).status).toBe(404);
  });

  test("that say when they are published here that they were elsewhere", async () => {
    const author = await site.author();
    const key = await site.world.key(author);
    site.says(rss([{ ...POST, link: "https://blog.example/later" }]));
    await site.add(author);
    const [draft] = await site.articles(author);
    site.later(48);
    const published = await site.world.request({
      method: "PUT",
      url: `/api/articles/${draft?.id}`,
      key,
      body: { article: { published: true } },
    });
    expect(published.body).toMatchObject({
      published_at: "2026-04-02T12:00:00Z",
      crossposted_at: "2026-04-02T12:00:00Z",
      edited_at: null,
    });
    site.later(1);
    const edit = { method: "PUT", url: `/api/articles/${draft?.id}`, key };
    const edited = await site.world.request({ ...edit, body: { article: { title: "Another" } } });
    expect(edited.body).toMatchObject({ crossposted_at: "2026-04-02T12:00:00Z", title: "Another" });
  });

  test("or none, when it has no items", async () => {
    const author = await site.author();
    site.says(rss([]));
    expect(await site.add(author)).toMatchObject({ imported: 0, skipped: 0, problem: null });
    expect(await site.articles(author)).toEqual([]);
  });
});

describe("a feed that is published", () => {
  test("has its articles listed and found, with the date of the first publication", async () => {
    const author = await site.author();
    const date = "Mon, 02 Mar 2026 09:15:00 GMT";
    const link = "https://blog.example/published?utm_source=rss&page=2";
    const media = '<media:thumbnail url="https://blog.example/cover.png"/>';
    site.says(rss([{ ...POST, date, link, title: "Heddlesmith", more: media }]));
    await site.add(author, { publish: true });
    const { body } = await site.world.get(`/api/articles?username=${author.username}`);
    expect(body).toMatchObject([
      {
        title: "Heddlesmith",
        slug: expect.stringMatching(/^heddlesmith-[0-9a-p]+$/),
        published_at: "2026-03-02T09:15:00Z",
        crossposted_at: "2026-03-31T12:00:00Z",
        canonical_url: "https://blog.example/published?page=2",
        cover_image: "https://blog.example/cover.png",
        tag_list: ["wool", "looms", "notatag"],
      },
    ]);
    const found = await site.world.get("/api/articles/search?q=heddlesmith");
    expect(found.body).toMatchObject([{ title: "Heddlesmith" }]);
  });

  test.each([
    ["a date to come", "Thu, 31 Dec 2099 23:59:59 GMT"],
    ["no date", undefined],
  ])("has articles of now where it gives %s", async (_kind, date) => {
    const author = await site.author();
    site.says(rss([{ title: "Timeless", ...(date !== undefined && { date }) }]));
    await site.add(author, { publish: true });
    expect(await site.articles(author)).toMatchObject([
      { state: "published", published_at: NOW, crossposted_at: NOW },
    ]);
  });

  test.each(["the day before yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Tue, 31 Feb 2026 03:04:05 GMT"])(
    "has a draft, which it reports, of an item with the date %s",
    async (date) => {
      const author = await site.author();
      site.says(rss([{ title: "Timeless", date }]));
      const reason = `Its date ${JSON.stringify(date)} can't be read, so it became a draft`;
      expect(await site.add(author, { publish: true })).toMatchObject({
        imported: 1,
        skipped: 0,
        last_skipped: [{ title: "Timeless", reason, seen_at: NOW }],
      });
      expect(await site.articles(author)).toMatchObject([{ state: "draft", published_at: null }]);
    },
  );

  test("keeps the address of an item on an intranet", async () => {
    const author = await site.author();
    const key = await site.world.key(author);
    site.says(rss([{ ...POST, link: "http://10.0.0.7/posts/warping" }]));
    await site.add(author);
    const { body } = await site.world.get("/api/articles/me/unpublished", { key });
    expect(body).toMatchObject([{ canonical_url: "http://10.0.0.7/posts/warping" }]);
  });

  test("doesn't take the canonical address of another's article", async () => {
    const [author, other] = [await site.author(), await site.author()];
    const link = "https://blog.example/taken";
    await site.world.article(other, { canonical_url: link });
    site.says(
      rss([
        { ...POST, link },
        { title: "Another", guid: "2" },
      ]),
    );
    expect(await site.add(author, { publish: true })).toMatchObject({
      imported: 1,
      skipped: 1,
      problem: null,
      last_skipped: [
        {
          title: "Warping a loom",
          reason: "Canonical url has already been taken",
          seen_at: NOW,
        },
      ],
    });
    expect(await site.articles(author)).toMatchObject([{ title: "Another" }]);
  });

  test("may have one title several times", async () => {
    const author = await site.author();
    site.says(rss([1, 2].map((number) => ({ title: "Links", guid: `${number}`, html: `Link ${number}` }))));
    expect(await site.add(author, { publish: true })).toMatchObject({ imported: 2, skipped: 0 });
  });
});

describe("what an item says", () => {
  const front =
    "---\nauthor: admin\ntitle: Mine\npublished: true\ndate: 2001-01-01\ntags: evil\norganization: x\n---\n";

  test.each([
    ["as text", `${front}Text`],
    ["in paragraphs", front.replaceAll(/.+/g, "<p>$&</p>")],
    ["behind white space", `\n\n \u{feff}${front}`],
    ["in lines", front.replaceAll("\n", "<br>\n")],
    ["as rules", "<hr>title: Mine<br>published: true<hr>"],
    ["in a block of code", `<pre>${front}</pre>`],
  ])("is not front matter: %s", async (_where, html) => {
    const author = await site.author();
    const admin = { "dc:creator": "admin", author: "admin@example.com (admin)" };
    const more = Object.entries(admin).map(([name, text]) => `<${name}>${text}</${name}>`);
    site.says(rss([{ title: "Theirs", html, guid: "1", more: more.join("") }]));
    await site.add(author);
    const [article] = await site.articles(author);
    expect(article).toMatchObject({
      title: "Theirs",
      state: "draft",
      published_at: null,
      tag_list: [],
      organization_id: null,
    });
    // Nor later, when its author writes something else of it.
    const key = await site.world.key(author);
    const url = `/api/articles/${article?.id}`;
    await site.world.request({ method: "PUT", url, key, body: { article: { tags: ["fine"] } } });
    expect(await site.articles(author)).toMatchObject([
      { title: "Theirs", state: "draft", tag_list: ["fine"] },
    ]);
  });

  test("goes through the one sanitiser", async () => {
    const author = await site.author();
    const html = `<p onclick="x()">A <a href="javascript:x()">b</a> &lt;script&gt;x()&lt;/script&gt;</p>
      <iframe src="https://evil.example/"></iframe><img src="javascript:x()"><img src="pic.png" onerror="x()">`;
    site.says(rss([{ title: "<b>Bold</b>", html, link: "https://blog.example/safe/" }]));
    await site.add(author, { publish: true });
    const [article] = await site.articles(author);
    expect(article?.title).toBe("Bold");
    expect(article?.body_html).toContain('src="https://blog.example/safe/pic.png"');
    expect(article?.body_html).toContain("&lt;script&gt;x()&lt;/script&gt;");
    expect(article?.body_html).not.toMatch(/<script|<iframe|onclick|onerror|javascript:/);
  });

  test("gives a title where there is none, and ends one that is too long", async () => {
    const author = await site.author();
    const long = "word ".repeat(60);
    site.says(
      rss([
        { html: "<p>A note   without a <b>title</b></p>", guid: "1" },
        { title: long, guid: "2" },
        { title: "Caf&#233; &amp; more", guid: "3" },
        { html: "<p> </p>", link: "https://blog.example/nothing", guid: "4" },
      ]),
    );
    expect(await site.add(author)).toMatchObject({
      imported: 3,
      last_skipped: [{ title: "", reason: "Title can't be blank" }],
    });
    const titles = (await site.articles(author)).map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining(["A note without a title", `${"word ".repeat(25).trim()}…`, "Café & more"]),
    );
  });

  test.each([
    ["RSS", rss],
    ["Atom", atom],
    ["JSON Feed", jsonFeed],
  ])("is text in its title and tags of letters and digits in its categories: %s", async (_format, write) => {
    const author = await site.author();
    const markup = "Markup: <em>Title</em> with <code>&lt;div&gt;</code>";
    const tags = ["Node.js", "C#", "R&amp;D", "Machine Learning", "web-dev"];
    site.says(
      write([
        { title: markup, guid: "1", tags, html: "One" },
        { title: "a < b", guid: "2", html: "Two" },
      ]),
    );
    await site.add(author);
    expect(await site.articles(author)).toMatchObject([
      { title: "a < b" },
      { title: "Markup: Title with <div>", tag_list: ["nodejs", "csharp", "rd", "machinelearning"] },
    ]);
  });

  test("is left out with the reason when it is too long", async () => {
    const author = await site.author();
    site.says(rss([{ title: "Long", html: `<p>${"long ".repeat(200_000)}</p>` }]));
    expect(await site.add(author)).toMatchObject({
      imported: 0,
      last_skipped: [{ title: "Long", reason: expect.stringContaining("too long") }],
    });
    expect(await site.articles(author)).toEqual([]);
  });
});
