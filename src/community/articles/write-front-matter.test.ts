import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

describe("front matter of an article that is written", () => {
  let key: string;
  let serial = 0;
  const world = worldForAll({ now: NOW });
  beforeAll(async () => void (key = await world.key(await world.user({ username: "ada", name: "Ada" }))));
  beforeEach(() => world.setNow(NOW));

  const send = (method: string, url: string, article: object) =>
    world.request({ method, url: `/api/articles${url}`, key, body: { article } });
  const title = () => `Title ${++serial}`;
  const matter = (lines: string, body = "Body words.") => `---\n${lines}\n---\n${body}`;

  async function written(body_markdown: string, attributes: object = {}) {
    const { status, body } = await send("POST", "", { body_markdown, ...attributes });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body as { id: number; warnings?: string[]; collection_id: number | null };
  }
  const ignored = (name: string) =>
    `Attribute ${name} was ignored: the front matter of body_markdown decides it.`;

  test("wins over every attribute, and the answer says so", async () => {
    const name = title();
    const body_markdown = matter(
      `title: ${name}: a "colon"\nPublished: true\ndescription: Said here\ntags: #wool #felt\nseries: Knots\ncanonical_url: https://c.example/${serial}\ncover_image: https://p.example/a.png\nlayout: post`,
    ).replaceAll("\n", "\r\n");
    const article = await written(body_markdown, {
      title: "Other",
      published: false,
      description: "Other",
      tags: ["other"],
      series: "Other",
      canonical_url: "https://other.example/x",
      main_image: "https://other.example/x.png",
    });
    expect(article).toMatchObject({
      title: `${name}: a "colon"`,
      description: "Said here",
      tags: ["wool", "felt"],
      cover_image: "https://p.example/a.png",
      published_at: "2026-03-31T12:00:00Z",
      body_markdown,
      body_html: "<p>Body words.</p>\n",
    });
    expect(article.warnings?.toSorted()).toEqual(
      ["title", "published", "description", "tags", "main_image", "canonical_url", "series"]
        .map(ignored)
        .toSorted(),
    );
  });

  test("says nothing of attributes that agree with it", async () => {
    const name = title();
    const article = await written(matter(`title: ${name}\ntags: a, b`), { title: name, tags: ["a", "b"] });
    expect(article).not.toHaveProperty("warnings");
  });

  test("with a title alone resets description and series", async () => {
    const name = title();
    const first = await written(matter(`title: ${name}\ndescription: Said\nseries: Threads`));
    const { body } = await send("PUT", `/${first.id}`, {
      body_markdown: matter(`title: ${name}`, "Rewritten."),
    });
    expect(body).toMatchObject({ description: "Rewritten.", collection_id: null });
    const again = await send("PUT", `/${first.id}`, {
      body_markdown: matter(`title: ${name}`),
      series: "Given",
    });
    expect(again.body).toMatchObject({ collection_id: expect.any(Number) });
    const untouched = await send("PUT", `/${first.id}`, { tags: ["x"] });
    expect(untouched.body).toMatchObject({
      collection_id: (again.body as { collection_id: number }).collection_id,
    });
  });

  test("that is stored decides what a later request names, and moves nothing else", async () => {
    const name = title();
    const { id } = await written(matter(`title: ${name}\npublished: true\ntags: a`));
    const before = (await world.get(`/api/articles/${id}`, { key })).body as object;
    const { status, body } = await send("PUT", `/${id}`, { title: "x", tags: ["b"], published: false });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, warnings: ["title", "published", "tags"].map(ignored) });
    expect(await world.request({ method: "PUT", url: `/api/articles/${id}/unpublish`, key })).toMatchObject({
      status: 204,
    });
    const after = await send("PUT", `/${id}`, { description: "Only this." });
    expect(after.body).toMatchObject({ published_at: null });
  });

  test("removes the cover by an empty value, and keeps it when it says nothing", async () => {
    const name = title();
    const { id } = await written(matter(`title: ${name}`), { main_image: "https://p.example/a.png" });
    const kept = await send("PUT", `/${id}`, { body_markdown: matter(`title: ${name}`) });
    expect(kept.body).toMatchObject({ cover_image: "https://p.example/a.png" });
    const removed = await send("PUT", `/${id}`, { body_markdown: matter(`title: ${name}\ncover_image:`) });
    expect(removed.body).toMatchObject({ cover_image: null });
  });

  test("gives the date of a first publication, and an old one on a repeated push is forgiven", async () => {
    const soon = matter(`title: ${title()}\npublished: true\ndate: 2026-04-02 08:00`);
    expect(await written(soon)).toMatchObject({ published_at: "2026-04-02T08:00:00Z" });
    const old = matter(`title: ${title()}\npublished: true\ndate: 2020-01-01`);
    const article = await written(old);
    expect(article).toMatchObject({
      published_at: "2026-03-31T12:00:00Z",
      warnings: ["The date in the front matter was ignored: an article can't be published in the past."],
    });
    const again = await send("PUT", `/${article.id}`, { body_markdown: `${old} More.` });
    expect(again).toMatchObject({
      status: 200,
      body: {
        published_at: "2026-03-31T12:00:00Z",
        warnings: [
          "The date in the front matter was ignored: an article keeps the date of its first publication.",
        ],
      },
    });
  });

  test("with a date that can't be used says so, whether it is published or not", async () => {
    const past = "The date in the front matter was ignored: an article can't be published in the past.";
    const unpublished = (name: string) => `${name} was ignored: send it with published: true.`;
    const unreadable =
      "The date in the front matter was ignored: write it like 2026-03-02 or 2026-03-02 09:15.";
    for (const [lines, warning] of [
      ["date: 2020-01-01", past],
      ["date: 2019-01-01 10:00:00 +0000 UTC", past],
      ["date: 2026-04-02", unpublished("The date in the front matter")],
      ["published_at: 2026-04-02", unpublished("The published_at in the front matter")],
      ["date: first of May", unreadable],
      ["published: true\ndate: first of May", unreadable],
    ]) {
      expect(await written(matter(`title: ${title()}\n${lines}`))).toMatchObject({ warnings: [warning] });
    }
  });

  test("can't move the date of what has been published by published_at", async () => {
    const lines = `title: ${title()}\npublished: true`;
    const { id } = await written(matter(lines));
    const near = matter(`${lines}\npublished_at: 2026-03-31T12:00:59Z`);
    expect(await send("PUT", `/${id}`, { body_markdown: near })).toMatchObject({ status: 200 });
    const far = matter(`${lines}\npublished_at: 2026-03-31T12:01:01Z`);
    expect(await send("PUT", `/${id}`, { body_markdown: far })).toMatchObject({
      status: 422,
      body: {
        error:
          "Published at updating published_at for articles that have already been published is not allowed",
      },
    });
  });

  test("that can't be parsed is refused with its line, and nothing is stored", async () => {
    const { status, body } = await send("POST", "", {
      title: "Broken",
      body_markdown: "---\ntitle: ok\nvideo: [a\n---\nText",
    });
    expect(status).toBe(422);
    expect((body as { error: string }).error).toMatch(
      /^There was a problem parsing the front-matter YAML\. Line \d/,
    );
    expect(
      await world.db.selectFrom("articles").select("id").where("title", "in", ["ok", "Broken"]).execute(),
    ).toEqual([]);
  });

  test("is held to the rules that attributes are held to", async () => {
    const { body } = await send("POST", "", {
      body_markdown: matter(`title: ${"x".repeat(129)}\ntags: a, b, c, d, e\ncanonical_url: nowhere`),
    });
    expect(body).toMatchObject({
      error:
        "Title is too long (maximum is 128 characters), Tag list exceed the maximum of 4 tags, and Canonical url must be a full http or https address without spaces or credentials, such as https://example.com/post",
    });
  });
});
