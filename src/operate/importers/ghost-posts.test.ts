import { describe, expect, test } from "vitest";
import { ADA, BEN, foreignImports, ghostExport, post, tag } from "../../../test/foreign-imports.ts";
import { writeZip } from "../../../test/community-file.ts";

const site = foreignImports();
const SITE = ["--site", "https://blog.example"];

const file = (tables: Parameters<typeof ghostExport>[0]) => site.file(JSON.stringify(ghostExport(tables)));
const load = async (tables: Parameters<typeof ghostExport>[0], ...options: string[]) =>
  site.load(await file(tables), ...SITE, ...options);
const body = async (slug: string) => (await site.article(slug))?.["body_markdown"];

describe("a post", () => {
  test("is left out with the reason when it is a page, or has no HTML", async () => {
    const report = await load({
      posts: [
        post("10", { type: "page" }),
        post("11", { type: undefined, page: 1 }),
        post("12", { html: null }),
        post("13", { html: "", lexical: null, mobiledoc: '{"version":"0.3.1"}' }),
        post("14", { html: null, lexical: null }),
        post("15", { title: " " }),
        post("16", { author_id: "99" }),
      ],
      written: { 10: ["1"], 11: ["1"], 12: ["1"], 13: ["1"], 14: ["1"], 15: ["1"] },
    });
    const packed = "it has no HTML, only the form of Ghost's editor (Lexical or Mobiledoc)";
    expect(report).toMatchObject({ created: 0, updated: 0 });
    expect(report.left_out).toEqual([
      { type: "article", name: "Post 10", reason: "it is a page" },
      { type: "article", name: "Post 11", reason: "it is a page" },
      { type: "article", name: "Post 12", reason: packed },
      { type: "article", name: "Post 13", reason: packed },
      { type: "article", name: "Post 14", reason: "it has no text" },
      { type: "article", name: "post-15", reason: "it has no title" },
      {
        type: "article",
        name: "Post 16",
        reason: "its author isn't in the export: --author gives it to a person here",
      },
    ]);
  });

  test("that only some could read becomes a draft", async () => {
    const report = await load({
      posts: [
        post("20", { visibility: "members" }),
        post("21", { visibility: "paid" }),
        post("22", { visibility: "tiers" }),
        post("23", { status: "sent" }),
        // A public post with a part for some.
        post("24", {
          html: "<p>All</p><!--kg-gated-block:begin nonMember:false --><p>Paid</p><!--kg-gated-block:end-->",
        }),
      ],
    });
    for (const id of ["20", "21", "22", "23", "24"]) {
      expect(await site.article(`post-${id}`)).toMatchObject({ published: false });
    }
    expect(report.remarks).toEqual([
      { text: "a post was for members only: the article becomes a draft", count: 4 },
      { text: "a post was sent by mail only: the article becomes a draft", count: 1 },
    ]);
  });

  test("loses scripts and the code that it adds to its page", async () => {
    const html = '<p onclick="x()">Hi</p><script>alert(1)</script><iframe src="javascript:x()"></iframe>';
    const report = await load({ posts: [post("30", { html, codeinjection_foot: "<script>x()</script>" })] });
    expect(await body("post-30")).toBe("Hi");
    expect(report.remarks).toEqual([
      { text: "the code that a post adds to its page is left out", count: 1 },
      { text: "a link or picture is left out: its address can't be used", count: 1 },
    ]);
  });

  test("that can't be read keeps the others from coming, unless --skip-invalid leaves it out", async () => {
    const order = { valueOf: 1, toString: 1 };
    const path = await site.file(
      JSON.stringify({
        data: {
          users: [ADA],
          posts: [
            post("47", { author_id: ADA.id }),
            post("48", { author_id: ADA.id }),
            post("49", { author_id: ADA.id, created_at: order, published_at: -1e17 }),
          ],
          posts_tags: [1, 2].map((id) => ({ post_id: "48", tag_id: `${id}`, sort_order: order })),
        },
      }),
    );
    const before = await site.count();
    const told = /\narticle Post 48 \(\/post-48\/\): it can't be read \(Cannot convert object.+\)\.\n$/;
    expect(await site.refusal(path, ...SITE)).toMatch(/^inkstone: Nothing is imported, because of these; /);
    expect(await site.refusal(path, ...SITE, "--dry-run")).toMatch(told);
    expect(await site.count()).toBe(before);
    const { left_out, created } = await site.load(path, ...SITE, "--skip-invalid");
    expect(left_out).toEqual([
      { type: "article", name: "Post 48 (/post-48/)", reason: expect.any(String), failed: true },
    ]);
    expect(created).toBeGreaterThanOrEqual(2);
    expect(await site.article("post-47")).toMatchObject({ title: "Post 47" });
    expect(await site.article("post-49")).toMatchObject({ published: false });
  });

  test("has at most four tags of thousands, and a date that can be used", async () => {
    const tags = Array.from({ length: 10_000 }, (_, index) => tag(String(index), `tag${index}`));
    const report = await load({
      posts: [
        post("40", { published_at: "0000-00-00 00:00:00" }),
        post("41", { published_at: "2999-01-01 00:00:00" }),
        post("42", { created_at: 1_704_189_600_000, published_at: 1_704_276_000_000 }),
      ],
      tags,
      tagged: { 40: tags.map(({ id }) => String(id)) },
    });
    expect(await site.article("post-40")).toMatchObject({
      tags: ["tag0", "tag1", "tag2", "tag3"],
      published_at: "2024-01-02T10:00:00Z",
    });
    expect(await site.article("post-41")).toMatchObject({ published: false });
    expect(await site.article("post-42")).toMatchObject({ published_at: "2024-01-03T10:00:00Z" });
    expect(report.remarks).toEqual([
      ...Array.from({ length: 9_996 }, (_, index) => ({
        text: `the category or tag "tag${index + 4}" is left out: an article has at most 4 tags`,
        count: 1,
      })),
      { text: "a date of publication can't be used: the article becomes a draft", count: 1 },
    ]);
  });
});

describe("people", () => {
  test("are found by their e-mail address, and get another name where theirs is reserved", async () => {
    await site.inkstone(
      ..."user create --username countess --name Ada --email ADA2@ghost.example".split(" "),
    );
    const users = [
      { ...ADA, email: "ada2@ghost.example" },
      { ...BEN, slug: "admin", email: "root@ghost.example" },
    ];
    await load({ posts: [post("60"), post("61")], users, written: { 60: ["1"], 61: ["2"] } });
    expect(await site.article("post-60")).toMatchObject({ author: "countess" });
    expect(await site.article("post-61")).toMatchObject({ author: expect.stringMatching(/^admin_/) });
    expect(await site.user("countess")).toMatchObject({ name: "Ada" });
  });
});

describe("what can't be read is refused with one sentence, and nothing is kept", () => {
  const whole = JSON.stringify(ghostExport({ posts: [post("80"), post("81")] }));

  test.each([
    ["cut", whole.slice(0, -200), "it ends too early, as a file does that was cut."],
    ["without posts", JSON.stringify({ db: [{ meta: {}, data: { posts: [] } }] }), "has no posts"],
  ])("%s", async (_name, content, sentence) => {
    const before = await site.count();
    const refused = await site.refusal(await site.file(content), ...SITE, "--format", "ghost");
    expect(refused).toMatch(/^inkstone: FILE .*\n$/);
    expect(refused).toContain(sentence);
    expect(await site.count()).toBe(before);
  });

  test("without the address of its site", async () => {
    expect(await site.refusal(await site.file(whole))).toBe(
      "inkstone: An export of Ghost doesn't say where its site was: give the address with --site, such as https://blog.example.\n",
    );
  });

  test("an archive with two exports", async () => {
    const path = await writeZip(site.newPath("two.zip"), {
      "a.json": whole,
      "b.json": whole,
      "content/images/a.png": "",
    });
    expect(await site.refusal(path, ...SITE)).toContain("has 2 JSON files beside its pictures");
  });
});
