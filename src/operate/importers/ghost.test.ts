import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ADA,
  BEN,
  type Fields,
  foreignImports,
  ghostExport,
  post,
  tag,
} from "../../../test/foreign-imports.ts";
import { writeZip } from "../../../test/community-file.ts";

const site = foreignImports();
const SITE = ["--site", "https://blog.example"];

const file = (tables: Parameters<typeof ghostExport>[0]) => site.file(JSON.stringify(ghostExport(tables)));
const load = async (tables: Parameters<typeof ghostExport>[0], ...options: string[]) =>
  site.load(await file(tables), ...SITE, ...options);
const body = async (slug: string) => (await site.article(slug))?.["body_markdown"];

/** More than any other test has of it. */
const FULL = {
  posts: [
    post("1", {
      title: "Growing <engines> & gears",
      slug: "growing-engines",
      html: '<h2>Cogs</h2><p>See <a href="__GHOST_URL__/other/">the other</a> &amp; <em>more</em>.</p><figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/2024/01/cog.png" class="kg-image" alt="A cog" loading="lazy"></figure>',
      feature_image: "__GHOST_URL__/content/images/size/w600/2024/01/cover.png",
      custom_excerpt: "How engines grow.",
      canonical_url: "https://elsewhere.example/engines",
    }),
    post("2", { status: "draft", published_at: null }),
    post("3", { status: "scheduled", published_at: new Date(Date.now() + 86_400_000).toISOString() }),
  ],
  users: [ADA, BEN],
  tags: [
    tag("1", "#internal"),
    tag("2", "Getting Started"),
    tag("3", "engines"),
    tag("4", "C++"),
    tag("5", "gears"),
  ],
  tagged: { 1: ["1", "3", "4", "2", "5"] },
  written: { 1: ["1", "2"], 2: ["1"], 3: ["2"] },
  posts_meta: [{ id: "1", post_id: "2", meta_description: "For engines of search." }],
};

test.each([
  "blog.example",
  "",
  "ftp://blog.example",
  "https://blog example",
  "//blog.example",
  "https://a@b.example",
])("--site %j is no address of a site", async (address) => {
  const { code, out, err } = await site.inkstone("import", await file(FULL), "--site", address);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("It must be an address such as https://blog.example");
  expect(await site.count()).toBe(0);
});

describe("an export of Ghost", () => {
  let path: string;
  beforeAll(async () => {
    path = await file(FULL);
  });

  test("becomes articles of people without a password", async () => {
    const report = await site.load(path, ...SITE);
    expect(report.left_out).toEqual([]);
    expect(report.remarks).toEqual([
      { text: "an article keeps the first of its authors only, and not Ben Ox", count: 1 },
    ]);
    expect(await site.article("growing-engines")).toEqual({
      type: "article",
      id: expect.any(Number),
      slug: "growing-engines",
      author: "ada_byron",
      title: "Growing <engines> & gears",
      body_markdown: expect.any(String),
      description: "How engines grow.",
      tags: ["engines", "cpp", "gettingstarted", "gears"],
      canonical_url: "https://elsewhere.example/engines",
      main_image: "https://blog.example/content/images/size/w600/2024/01/cover.png",
      published: true,
      published_at: "2024-01-03T10:00:00Z",
      created_at: "2024-01-02T10:00:00Z",
    });
    expect(await body("growing-engines")).toBe(
      "## Cogs\n\nSee [the other](https://blog.example/other/) & *more*.\n\n![A cog](https://blog.example/content/images/2024/01/cog.png)",
    );
    expect(await site.user("ada_byron")).toEqual({
      type: "user",
      id: expect.any(Number),
      username: "ada_byron",
      name: "Ada Byron",
      email: "ada@ghost.example",
      summary: "Engines.",
      location: "London",
      website_url: "https://ada.example",
      profile_image: "https://blog.example/content/images/2024/01/ada.png",
      created_at: expect.any(String),
    });
    const { password_hash } = await site.database.db
      .selectFrom("users")
      .select("password_hash")
      .where("username", "=", "ada_byron")
      .executeTakeFirstOrThrow();
    expect(password_hash).toBeNull();
  });

  test("keeps drafts and scheduled posts what they are", async () => {
    expect(await site.article("post-2")).toMatchObject({
      published: false,
      description: "For engines of search.",
    });
    expect(await site.article("post-3")).toMatchObject({ published: true, author: "ben" });
    const { state } = await site.database.db
      .selectFrom("articles")
      .select("state")
      .where("slug", "=", "post-3")
      .executeTakeFirstOrThrow();
    expect(state).toBe("scheduled");
  });

  test("leads from the old addresses of public posts to the articles", async () => {
    const paths = await site.exported("retired_path");
    expect(paths).toContainEqual({
      type: "retired_path",
      path: "/growing-engines",
      article: "growing-engines",
    });
    expect(paths).not.toContainEqual(expect.objectContaining({ article: "post-2" }));
  });

  test("changes nothing when it is imported again", async () => {
    const before = await site.exported("article,user,retired_path");
    expect(await site.load(path, ...SITE)).toMatchObject({
      created: 0,
      updated: 0,
    });
    expect(await site.exported("article,user,retired_path")).toEqual(before);
  });

  test("is the same without db", async () => {
    const [only] = ghostExport(FULL)["db"] as object[];
    const report = await site.load(await site.file(JSON.stringify(only)), ...SITE);
    expect(report).toMatchObject({ created: 0, updated: 0 });
  });

  test("is tried by --dry-run", async () => {
    const before = await site.count();
    const report = await load({ posts: [post("4")] }, "--dry-run");
    expect(report).toMatchObject({ created: 2 });
    expect(await site.count()).toBe(before);
  });

  test("leaves what was edited or deleted here since as it is, also where its author has another name", async () => {
    const posts = [post("80"), post("81"), post("82", { slug: "search" })];
    const again = await file({ posts });
    await load({ posts });
    const { db } = site.database;
    const edit = { body_markdown: "Edited here" };
    await db.updateTable("articles").set(edit).where("slug", "=", "post-80").execute();
    await db.updateTable("articles").set(edit).where("title", "=", "Post 82").execute();
    const deleted = { state: "deleted", deleted_at: new Date(), deleted_from: "published" };
    const gone = db.updateTable("articles").set(deleted).where("slug", "=", "post-81").returning("id");
    const { id } = await gone.executeTakeFirstOrThrow();
    const left = `it was deleted here; \`inkstone article restore ${id}\` brings it back`;
    const report = await site.load(again, ...SITE);
    expect(report).toMatchObject({
      records: 2,
      created: 0,
      updated: 0,
      unchanged: 2,
      types: { article: { created: 0, updated: 0, unchanged: 2 } },
      left_out: [{ type: "article", name: "Post 81", reason: left }],
    });
    expect(await body("post-80")).toBe("Edited here");
    expect(await site.article("post-81")).toBeUndefined();

    const renamed = db.updateTable("users").set({ email: "new@ada.example" });
    await renamed.where("username", "=", "ada_byron").execute();
    expect(await load({ posts: [post("80")] })).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });
});

test("links and pictures whose addresses can't be used are counted", async () => {
  const html =
    '<p>A <a href="ftp://old.example/a">b</a><a name="c"></a><img src="data:image/png;base64,AA"></p>';
  const report = await load({ posts: [post("90", { html })] });
  expect(report.remarks).toEqual([
    { text: "a link or picture is left out: its address can't be used", count: 2 },
  ]);
  expect(await body("post-90")).toBe("A b");
});

test("pictures in a zip become uploads", async () => {
  const png = await readFile(join(import.meta.dirname, "../../../assets/default-organization-640.png"));
  const picture = "__GHOST_URL__/content/images/2024/01/cog.png";
  const html = `<p>A</p><img src="${picture}"><img src="https://other.example/x.png">`;
  const path = await writeZip(site.newPath("ghost.zip"), {
    "blog.ghost.2024.json": JSON.stringify(
      ghostExport({ posts: [post("70", { html, feature_image: picture })] }),
    ),
    "content/images/2024/01/cog.png": png,
    "content/settings/routes.yaml": "routes:",
    "content/data/redirects.json": "[]",
    "content/themes/casper/package.json": "{}",
  });
  const report = await site.load(path, ...SITE);
  expect(report.pictures.made).toBe(1);
  const { body_markdown, main_image } = (await site.article("post-70")) as Fields;
  expect(main_image).toMatch(/^http:\/\/localhost:3000\/uploads\//);
  expect(body_markdown).toBe(`A\n\n![](${String(main_image)})![](https://other.example/x.png)`);
});
