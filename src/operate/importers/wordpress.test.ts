import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import type { Fields, Report } from "../../../test/foreign-imports.ts";
import { wordpressImports, wxr } from "../../../test/wordpress.ts";

const site = wordpressImports();
const { inkstone, load, loadFiles, exported, article } = site;

/** Of what a text can hold to be hostile. */
const MANY = cases(50_000, 5_000);

describe("an export of WordPress 3.0", () => {
  const file = join(import.meta.dirname, "../../../test/exports/wordpress-1.0.xml");

  test("has no authors, and its posts become articles of people without an e-mail address", async () => {
    const report = await loadFiles([file]);
    expect(report.left_out).toEqual([{ type: "page", name: "About", reason: "pages don't become articles" }]);
    expect(await article("hello-seeds")).toEqual({
      type: "article",
      id: expect.any(Number),
      slug: "hello-seeds",
      author: expect.stringMatching(/^admin_/),
      title: "Hello seeds & bulbs!",
      body_markdown: "This is the first post.  \nIt has two lines.\n\nAnd a second paragraph with *care*.",
      description: expect.stringContaining("This is the first post."),
      tags: ["seeds"],
      published: true,
      published_at: "2010-10-20T14:08:20Z",
      created_at: "2010-10-20T14:08:20Z",
    });
  });

  test("leads from its old addresses to the articles", async () => {
    expect(await exported("retired_path")).toContainEqual({
      type: "retired_path",
      path: "/2010/10/hello-seeds",
      article: "hello-seeds",
    });
  });

  test("changes nothing when it is imported again, and brings its comments when they are wanted", async () => {
    expect(await loadFiles([file])).toMatchObject({ created: 0, updated: 0 });
    expect(await exported("comment")).toEqual([]);
    expect(await loadFiles([file], "--comments")).toMatchObject({ created: 2, updated: 0 });
    const [comment] = await exported("comment");
    expect(comment).toMatchObject({
      author: expect.stringMatching(/^a_reader_/),
      article: "hello-seeds",
      body_markdown: "Hi, this is a comment.  \nIt has two lines.",
      created_at: "2010-10-20T14:08:20Z",
    });
    expect(await loadFiles([file], "--comments")).toMatchObject({ created: 0, updated: 0 });
  });
});

describe("posts", () => {
  const one = (post: Parameters<typeof wxr>[0][0]) => load(wxr([post]));
  const year = new Date().getUTCFullYear() + 1;
  const twins = [
    { id: 1, name: "twins", title: "First twin" },
    { id: 2, name: "twins", title: "Second twin" },
    { id: 3, name: "search", title: "How to search" },
    { id: 4, name: "%d1%81%d0%b0%d0%b4", title: "Сад" },
  ];
  const MANY_TERMS = 10_000;
  const terms = Array.from({ length: MANY_TERMS }, (_, at): [string, string] => ["post_tag", `C++ ${at}`]);
  const all = wxr([
    {
      name: "sowing",
      title: "Sowing &amp; planting",
      excerpt: "When the <b>frost</b> ends.",
      modifiedGmt: "2019-06-01 09:00:00",
      terms: [
        ["post_tag", "Seeds"],
        ["category", "Kitchen Garden"],
        ["category", "Uncategorized"],
        ["post_format", "Aside"],
      ],
    },
    ...["publish", "draft", "pending", "private", "trash", "auto-draft", "inherit"].map((status) => ({
      name: `status-${status}`,
      title: status,
      status,
    })),
    { name: "next-year", status: "future", date: `${year}-05-10 10:00:00` },
    { type: "page", title: "Imprint" },
    { type: "nav_menu_item" },
    { type: "nav_menu_item" },
    { name: "secret", password: "sesame" },
    { name: "", title: "Half a thought", status: "draft", dateGmt: "0000-00-00 00:00:00" },
    { name: "dated-2999", date: "2999-01-01 00:00:00" },
    { name: "dated-soon", date: "soon" },
    ...twins,
    { name: "untitled", title: "", content: "Rain all day." },
    { id: 77, name: "nothing", title: "", content: "" },
    {
      name: "tagged",
      terms: [...terms, ...["a", "b", "c", "d", "e"].map((name): [string, string] => ["category", name])],
    },
  ]);
  let report: Report;
  let articles: Fields[];
  beforeAll(async () => {
    await writeFile(site.path("all.xml"), all);
  });
  const bySlug = (slug: string) => articles.find((record) => record["slug"] === slug);
  const byTitle = (title: string) => articles.find((record) => record["title"] === title);

  test("become articles, and what doesn't is listed or counted", async () => {
    report = await loadFiles([site.path("all.xml")]);
    articles = await exported("article");
    expect(report.left_out).toEqual([
      ...["trash", "auto-draft", "inherit"].map((status) => ({
        type: "article",
        name: status,
        reason: `its status is ${status}`,
      })),
      { type: "page", name: "Imprint", reason: "pages don't become articles" },
      { type: "article", name: "77", reason: "it has neither a title nor a text" },
    ]);
    expect(report.remarks).toEqual(
      expect.arrayContaining([
        { text: "an item of the type nav_menu_item is left out", count: 2 },
        { text: "a post with a password becomes a draft", count: 1 },
        { text: "a private post becomes a draft", count: 1 },
        { text: "a date of publication can't be used: the article becomes a draft", count: 2 },
        { text: 'the category or tag "e" is left out: an article has at most 4 tags', count: 1 },
        { text: 'the category or tag "C++ 9999" is left out: an article has at most 4 tags', count: 1 },
        { text: expect.stringContaining("a new one is made"), count: 2 },
      ]),
    );
    expect(report.remarks).toHaveLength(5 + MANY_TERMS + 1);
  });

  test("have authors, tags, a description and the date of their last change", async () => {
    expect(bySlug("sowing")).toMatchObject({
      author: "lena",
      title: "Sowing & planting",
      description: "When the frost ends.",
      tags: ["kitchengarden", "seeds"],
      published_at: "2019-05-10T10:00:00Z",
      edited_at: "2019-06-01T09:00:00Z",
    });
    expect(bySlug("tagged")).toMatchObject({ tags: ["a", "b", "c", "d"] });
    const people = await exported("user");
    const lena = people.find(({ username }) => username === "lena");
    expect(lena).toMatchObject({ name: "Lena Voss", email: "lena@mail.example" });
    expect(lena).not.toHaveProperty("password_hash");
  });

  test("are published, scheduled or drafts by their status, date and password", () => {
    expect(bySlug("status-publish")).toMatchObject({ published: true, published_at: "2019-05-10T10:00:00Z" });
    expect(bySlug("next-year")).toMatchObject({ published: true, published_at: `${year}-05-10T10:00:00Z` });
    for (const slug of ["status-draft", "status-pending", "status-private", "secret", "dated-2999"]) {
      expect(bySlug(slug)).toMatchObject({ published: false });
      expect(bySlug(slug)).not.toHaveProperty("first_published_at");
    }
  });

  test("that are drafts have zeros for their date in UTC, and get the local one and a slug", () => {
    expect(byTitle("Half a thought")).toMatchObject({
      slug: expect.stringMatching(/^half-a-thought-/),
      published: false,
      created_at: "2019-05-10T10:00:00Z",
    });
  });

  test("with the slug of another one, a reserved one or one in another script get new ones", () => {
    expect(byTitle("First twin")).toMatchObject({ slug: "twins" });
    expect(byTitle("Second twin")?.["slug"]).toMatch(/^second-twin-/);
    expect(byTitle("How to search")?.["slug"]).toMatch(/^how-to-search-/);
    expect(byTitle("Сад")).toBeDefined();
  });

  test("have neither markup nor entities in titles and tags", async () => {
    const name = "markup";
    const names = ["R&amp;D", "Node.js", "C#", "Node JS", "C++", "+", "Tips &amp; Tricks"];
    const title = "Markup: <em>Title</em> with <code>&lt;div&gt;</code>";
    const excerpt = "<p>Of <b>a</b> &lt; b</p>";
    const { remarks } = await one({ name, title, excerpt, terms: names.map((term) => ["post_tag", term]) });
    expect(await article(name)).toMatchObject({
      title: "Markup: Title with <div>",
      description: "Of a < b",
      tags: ["rd", "nodejs", "csharp", "cpp"],
    });
    expect(remarks).toEqual([
      { text: 'the category or tag "+" is left out: it has neither letters nor digits', count: 1 },
      { text: 'the category or tag "Tips & Tricks" is left out: an article has at most 4 tags', count: 1 },
    ]);
  });

  test("without a title get the first words of their text", () => {
    expect(bySlug("untitled")).toMatchObject({ title: "Rain all day." });
  });

  test("that are public answer at their old addresses", async () => {
    const paths = new Map((await exported("retired_path")).map(({ path, article: of }) => [of, path]));
    expect(paths.get("sowing")).toBe("/2019/05/10/sowing");
    expect(paths.get("twins")).toBe("/2019/05/10/twins");
    expect(paths.has("secret")).toBe(false);
  });

  test("stay as they are when the file is imported again", async () => {
    expect(await loadFiles([site.path("all.xml")])).toMatchObject({ created: 0, updated: 0 });
  });

  test("show the picture of their thumbnail, which may stand in another file", async () => {
    const [posts, media] = [site.path("posts.xml"), site.path("media.xml")];
    await writeFile(posts, wxr([{ name: "with-cover", meta: { _thumbnail_id: "9" } }]));
    const attachmentUrl = "https://old.example/wp-content/uploads/2019/05/tomato.jpg";
    await writeFile(media, wxr([{ id: 9, type: "attachment", status: "inherit", attachmentUrl }]));
    await loadFiles([posts, media]);
    expect(await article("with-cover")).toMatchObject({ main_image: attachmentUrl });
  });

  test("belong to the person of --author, or to the user with the e-mail address, or to a new one", async () => {
    await inkstone("user", "create", "--username", "noor", "--name", "Noor");
    await inkstone("user", "create", "--username", "jon", "--name", "Jon", "--email", "Jon@mail.example");
    await load(wxr([{ name: "of-noor", author: "admin" }]), "--author", "noor");
    expect(await article("of-noor")).toMatchObject({ author: "noor" });
    const jonathan = { id: 5, login: "jonathan", email: "jon@mail.example", name: "Jonathan" };
    const admin = { id: 1, login: "admin", email: "boss@mail.example", name: "The boss" };
    await load(
      wxr(
        [
          { name: "by-jon", author: "jonathan" },
          { name: "by-the-boss", author: "admin" },
        ],
        [jonathan, admin],
      ),
    );
    expect(await article("by-jon")).toMatchObject({ author: "jon" });
    // The login is a reserved name here.
    expect((await article("by-the-boss"))?.["author"]).toMatch(/^admin_/);
  });

  test("are never read for long, whatever they hold", async () => {
    const hostile = {
      shortcodes: "[caption ".repeat(MANY),
      captions: "[caption]".repeat(MANY),
      comments: "<!-- ".repeat(MANY),
      blocks: "<pre ".repeat(MANY),
      galleries: "[gallery]".repeat(MANY),
      space: `a${" \n".repeat(10 * MANY)}b`,
      brackets: "[".repeat(MANY),
      attributes: `[caption ${"a".repeat(10 * MANY)}]b[/caption]`,
    };
    const pictures = Array.from({ length: 2_000 }, (_, at) => ({
      id: 1_000 + at,
      parent: 500,
      type: "attachment",
      attachmentUrl: `https://old.example/${at}.jpg`,
    }));
    const posts = Object.entries(hostile).map(([name, content]) => ({
      id: 500,
      name: `hostile-${name}`,
      content,
    }));
    const { left_out } = await load(wxr([...posts, ...pictures]));
    const made = (await exported("article")).filter(({ slug }) => String(slug).startsWith("hostile-"));
    expect(made.length + left_out.length).toBe(posts.length);
    await one({ name: "afterwards" });
    expect(await article("afterwards")).toBeDefined();
  });
});
