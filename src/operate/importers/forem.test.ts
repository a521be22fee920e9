import { beforeAll, describe, expect, test } from "vitest";
import { type Fields, foreignImports } from "../../../test/foreign-imports.ts";
import { writeZip } from "../../../test/community-file.ts";

const site = foreignImports();

/** An article as Forem exports it, with these differences. */
const article = (slug: string, more: Fields = {}): Fields => ({
  body_markdown: `Text of ${slug}.`,
  cached_tag_list: "gardening, beginners",
  cached_user_name: "Lena Ortiz",
  cached_user_username: "lena",
  canonical_url: null,
  comments_count: 1,
  created_at: "2020-01-02T10:00:00.000Z",
  crossposted_at: null,
  description: `About ${slug}`,
  edited_at: null,
  feed_source_url: null,
  language: "en",
  last_comment_at: "2020-01-05T10:00:00.000Z",
  main_image: null,
  main_image_background_hex_color: "#dddddd",
  path: `/lena/${slug}`,
  positive_reactions_count: 12,
  processed_html: `<p>Text of ${slug}.</p>`,
  published: true,
  published_at: "2020-01-03T10:00:00.000Z",
  published_from_feed: false,
  reactions_count: 12,
  show_comments: true,
  slug,
  social_image: null,
  title: `Title of ${slug}`,
  video: null,
  video_closed_caption_track_url: null,
  video_code: null,
  video_source_url: null,
  video_thumbnail_url: null,
  ...more,
});

const comment = (id_code: string, commentable_path: string | null, more: Fields = {}): Fields => ({
  body_markdown: `Comment ${id_code}`,
  created_at: "2020-01-04T10:00:00.000Z",
  deleted: false,
  edited: false,
  edited_at: null,
  id_code,
  markdown_character_count: 9,
  public_reactions_count: 0,
  processed_html: `<p>Comment ${id_code}</p>`,
  receive_notifications: true,
  commentable_path,
  ...more,
});

const archive = (articles: unknown, comments: unknown = []) =>
  writeZip(site.newPath("forem.zip"), {
    "articles.json": typeof articles === "string" ? articles : JSON.stringify(articles),
    "comments.json": JSON.stringify(comments),
  });

describe("an export of Forem", () => {
  let path: string;
  beforeAll(async () => {
    path = await archive(
      [
        article("tomatoes-1a2b", {
          body_markdown: "---\ntitle: Old title\npublished: false\n---\n\n# Tomatoes\n\n<script>x()</script>",
          main_image: "https://img.example/cover.png",
          canonical_url: "https://dev.to/lena/tomatoes-1a2b",
          edited_at: "2020-02-01T10:00:00.000Z",
          video_source_url: "https://video.example/1.m3u8",
          video_thumbnail_url: "https://video.example/1.png",
        }),
        article("draft-temp-slug-123", {
          published: false,
          published_at: null,
          path: "/lena/draft-temp-slug-123",
        }),
      ],
      [
        comment("1a", "/lena/tomatoes-1a2b"),
        comment("1b", "/lena/tomatoes-1a2b", { deleted: true }),
        comment("1c", "/ada/not-here-3c4d"),
        comment("1d", null),
        comment("1e", "/lena/tomatoes-1a2b", { body_markdown: "" }),
      ],
    );
  });

  test("becomes the articles and comments of its person", async () => {
    const report = await site.load(path);
    expect(report.left_out).toEqual([
      {
        type: "comment",
        name: "1c",
        reason: "there is no article /ada/not-here-3c4d in the file or on this site",
      },
      { type: "comment", name: "1d", reason: "it names no article" },
      { type: "comment", name: "1e", reason: "it has no text" },
    ]);
    expect(await site.article("tomatoes-1a2b")).toEqual({
      type: "article",
      id: expect.any(Number),
      slug: "tomatoes-1a2b",
      author: "lena",
      title: "Title of tomatoes-1a2b",
      body_markdown: "---\ntitle: Old title\npublished: false\n---\n\n# Tomatoes\n\n<script>x()</script>",
      description: "About tomatoes-1a2b",
      tags: ["gardening", "beginners"],
      series: "",
      canonical_url: "https://dev.to/lena/tomatoes-1a2b",
      main_image: "https://img.example/cover.png",
      published: true,
      published_at: "2020-01-03T10:00:00Z",
      created_at: "2020-01-02T10:00:00Z",
      edited_at: "2020-02-01T10:00:00Z",
      video_source_url: "https://video.example/1.m3u8",
      video_thumbnail_url: "https://video.example/1.png",
    });
    expect(await site.article("draft-temp-slug-123")).toMatchObject({ published: false });
    expect(await site.exported("comment")).toEqual([
      {
        type: "comment",
        id_code: "1",
        author: "lena",
        article: "tomatoes-1a2b",
        body_markdown: "Comment 1a",
        created_at: "2020-01-04T10:00:00Z",
      },
      expect.objectContaining({ id_code: "2", deleted: true }),
    ]);
    expect(await site.user("lena")).toMatchObject({ name: "Lena Ortiz" });
  });

  test("changes nothing when it is imported again", async () => {
    expect(await site.load(path)).toMatchObject({ created: 0, updated: 0 });
  });

  test("puts comments under articles of this site too", async () => {
    const second = await archive([article("beans-2b3c")], [comment("2a", "/someone/tomatoes-1a2b")]);
    await site.load(second);
    expect(await site.exported("comment")).toContainEqual(
      expect.objectContaining({ body_markdown: "Comment 2a", article: "tomatoes-1a2b" }),
    );
  });

  test("gives all to --author, and its old addresses lead there", async () => {
    await site.inkstone("user", "create", "--username", "ben", "--name", "Ben");
    await site.load(
      await archive([article("peas-3c4d")], [comment("3a", "/lena/peas-3c4d")]),
      "--author",
      "ben",
    );
    expect(await site.article("peas-3c4d")).toMatchObject({ author: "ben" });
    expect(await site.exported("retired_path")).toContainEqual({
      type: "retired_path",
      path: "/lena/peas-3c4d",
      article: "peas-3c4d",
    });
    expect(await site.exported("comment")).toContainEqual(
      expect.objectContaining({ body_markdown: "Comment 3a", author: "ben" }),
    );
  });
});

test("articles without a usable title, body or date are left out or become drafts", async () => {
  const report = await site.load(
    await archive([
      article("blank-1", { title: " " }),
      article("bodyless-1", { body_markdown: null }),
      article("late-1", { published_at: "2999-01-01T00:00:00.000Z" }),
      article("undated-1", { published_at: null }),
      article("me", { title: "Reserved" }),
      article("many-1", {
        cached_tag_list: Array.from({ length: 10_000 }, (_, index) => `tag${index}`).join(", "),
      }),
    ]),
  );
  expect(report.left_out).toEqual([
    { type: "article", name: "blank-1", reason: "it has no title" },
    { type: "article", name: "Title of bodyless-1", reason: "it has no body_markdown" },
  ]);
  expect(report.remarks.map(({ text, count }) => [text.split(":")[0], count])).toEqual([
    ["a date of publication can't be used", 1],
    ["a slug is a reserved word or number here, or belongs to another article", 1],
    ...Array.from({ length: 9_996 }, (_, index) => [`the category or tag "tag${index + 4}" is left out`, 1]),
  ]);
  expect(await site.article("late-1")).toMatchObject({ published: false });
  expect(await site.article("undated-1")).toMatchObject({ published_at: "2020-01-02T10:00:00Z" });
  expect(await site.article("many-1")).toMatchObject({ tags: ["tag0", "tag1", "tag2", "tag3"] });
});

describe("what can't be read is refused with one sentence, and nothing is kept", () => {
  test.each([
    ["cut", JSON.stringify([article("cut-1"), article("cut-2")]).slice(0, -30), "it ends too early"],
    ["no list", '{"articles": 1}', "has no articles and no comments"],
  ])("%s", async (_name, articles, sentence) => {
    const before = await site.count();
    const refused = await site.refusal(await archive(articles));
    expect(refused).toMatch(/^inkstone: .*FILE.*\n$/);
    expect(refused).toContain(sentence);
    expect(await site.count()).toBe(before);
  });

  test("nobody's", async () => {
    const path = await archive([article("whose-1", { cached_user_username: null })]);
    expect(await site.refusal(path)).toBe(
      "inkstone: FILE doesn't say whose it is: name the author with --author.\n",
    );
  });

  test("no archive", async () => {
    const path = await site.file("[]");
    expect(await site.refusal(path, "--format", "forem")).toBe(
      "inkstone: FILE is no archive: Forem's export is a zip with articles.json and comments.json.\n",
    );
  });
});
