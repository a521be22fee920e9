import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

describe("an article in a community file", () => {
  const ada = { username: "ada" };
  const read = async (slug: string) =>
    (await world.get(`/api/articles/${slug}`)).body as Record<string, unknown>;

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user({ username: "ada", name: "Ada" });
    await world.user({ username: "bo" });
    await world.tag({ name: "javascript" });
    await world.tag({ name: "js", alias_for: "javascript" });
  });

  test.each([
    [{ title: " " }, "Title can't be blank"],
    [{ title: "x".repeat(129) }, "Title is too long (maximum is 128 characters)"],
    [{ slug: "12345" }, 'slug "12345" must be of the letters a-z'],
    [{ slug: "search" }, 'slug "search" must be of the letters a-z'],
    [{ slug: "Über" }, "must be of the letters a-z"],
    [{ tags: ["a", "b", "c", "d", "e"] }, "Tag list exceed the maximum of 4 tags"],
    [{ tags: ["no spaces"] }, 'Tag "no spaces" contains non-alphanumeric or prohibited unicode characters'],
    [{ canonical_url: "localhost/x" }, "Canonical url must be a full http or https address"],
    [{ main_image: "javascript:alert(1)" }, "main_image must be an http or https address"],
    [{ organization: "nobodies" }, 'organization "nobodies" is not one of the site'],
    [{ body_markdown: "---\ntitle: 'open\n---\n" }, "There was a problem parsing the front-matter YAML."],
  ])("%j is refused, and nothing is kept", async (fields, sentence) => {
    const before = await world.db.selectFrom("articles").select("id").execute();
    await expect(world.article(ada, fields)).rejects.toThrow(sentence);
    expect(await world.db.selectFrom("articles").select("id").execute()).toEqual(before);
  });

  test("has a body of at most 800 KiB and an author who is known", async () => {
    const body_markdown = "x".repeat(819_201);
    await expect(world.article(ada, { body_markdown })).rejects.toThrow("Body markdown is too long");
    await expect(world.article({ username: "ghost" })).rejects.toThrow('author "ghost" is not a user');
  });

  test("gets the same slug every time it brings none, and isn't doubled", async () => {
    const record = {
      author: "ada",
      title: "Größe zählt",
      body_markdown: "x",
      created_at: "2026-01-01T00:00:00Z",
    };
    await world.articles([record]);
    await world.articles([record]);
    const rows = await world.db
      .selectFrom("articles")
      .select("slug")
      .where("title", "=", record.title)
      .execute();
    expect(rows).toEqual([{ slug: expect.stringMatching(/^grosse-zahlt-[0-9a-p]{8}$/) }]);
  });

  test("its own fields win over the front matter of its body, which wins over nothing", async () => {
    const body =
      "---\ntitle: Other\ntags: felt\ndescription: From the block\nseries: Looms\ndate: 2025-05-05\n---\nText.";
    await world.article(ada, { slug: "own-fields", title: "Mine", tags: ["wool"], body_markdown: body });
    expect(await read("own-fields")).toMatchObject({
      title: "Mine",
      tags: ["wool"],
      description: "From the block",
      published_at: "2025-05-05T00:00:00Z",
      collection_id: expect.any(Number),
      body_html: "<p>Text.</p>\n",
      body_markdown: body,
    });
  });

  test("carries the tags that its tags are other names of, once", async () => {
    await world.article(ada, { slug: "aliases", tags: ["js", "JavaScript", "new1"] });
    expect(await read("aliases")).toMatchObject({ tags: ["javascript", "new1"] });
  });

  test("is changed by another record of its slug, and by the same one not at all, and keeps its number where that is free", async () => {
    const first = await world.article(ada, { slug: "twice", title: "First", imported_reactions_count: 3 });
    const same = await world.article(ada, { slug: "twice", title: "First", imported_reactions_count: 3 });
    expect(same.version).toBe(first.version);
    const changed = await world.article(ada, { slug: "twice", title: "Second", imported_reactions_count: 4 });
    expect(changed).toMatchObject({ id: first.id, title: "Second", score: 4 });
    expect((await world.get("/api/articles/search?q=second")).body).toMatchObject([{ slug: "twice" }]);
    const kept = await world.article(ada, { slug: "numbered", id: 50_000 });
    const next = await world.article(ada, { slug: "behind" });
    const taken = await world.article(ada, { slug: "taken", id: 50_000 });
    expect([kept.id, next.id, taken.id]).toEqual([50_000, 50_001, 50_002]);
  });

  test("a failed import with a high number leaves room for what comes after", async () => {
    const before = await world.article(ada, { slug: "before-high" });
    const failing = world.articles([
      { author: "ada", title: "High", slug: "high", body_markdown: "x", id: 2_000_000_000 },
      { author: "ghost", title: "Bad", slug: "bad", body_markdown: "x" },
    ]);
    await expect(failing).rejects.toThrow("ghost");
    const after = await world.article(ada, { slug: "after-high" });
    expect(after.id).toBeGreaterThan(before.id);
  });

  test("a number that was freed and given again shows the article that has it now", async () => {
    await world.article(ada, {
      slug: "former",
      title: "Former",
      id: 70_000,
      published_at: "2026-03-31T11:00:00Z",
    });
    expect((await world.get("/api/articles/latest?per_page=1")).body).toBeDefined();
    await world.db.deleteFrom("articles").where("slug", "=", "former").execute();
    await world.article(ada, {
      slug: "current",
      title: "Current",
      id: 70_000,
      published_at: "2026-03-31T11:00:00Z",
    });
    const { body } = await world.get("/api/articles?username=ada&per_page=1000");
    const titles = (body as { id: number; title: string }[]).filter(({ id }) => id === 70_000);
    expect(titles).toMatchObject([{ title: "Current" }]);
  });

  test("is a series of its author's, one for each text, which is gone when nothing belongs to it", async () => {
    for (const [author, slug] of [
      ["ada", "s-a"],
      ["ada", "s-b"],
      ["bo", "s-c"],
    ] as const) {
      await world.article({ username: author }, { slug, series: "Same name" });
    }
    const ids = await Promise.all(
      ["s-a", "s-b", "s-c"].map(async (slug) => (await read(slug))["collection_id"]),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    await world.article(ada, { slug: "in-series", series: "Short-lived" });
    await world.article(ada, { slug: "in-series" });
    const left = await world.db
      .selectFrom("collections")
      .select("id")
      .where("slug", "=", "Short-lived")
      .execute();
    expect(left).toEqual([]);
  });

  test("is published now when it says nothing, a draft when it isn't published, scheduled when its date is to come", async () => {
    const states = await Promise.all([
      world.article(ada, { slug: "st-a" }),
      world.article(ada, { slug: "st-b", published: false }),
      world.article(ada, { slug: "st-c", published: false, published_at: "2026-01-01T00:00:00Z" }),
      world.article(ada, { slug: "st-d", published_at: "2026-05-01T00:00:00Z" }),
    ]);
    expect(states.map(({ state, published_at }) => [state, published_at?.toISOString()])).toEqual([
      ["published", NOW.toISOString()],
      ["draft", undefined],
      ["unpublished", "2026-01-01T00:00:00.000Z"],
      ["scheduled", "2026-05-01T00:00:00.000Z"],
    ]);
  });

  test("has its Markdown rendered and made harmless", async () => {
    await world.article(ada, {
      slug: "harmless",
      body_markdown: "<script>alert(1)</script>\n\n**bold** [x](javascript:alert(1)) <b onclick=a()>b</b>",
    });
    const { body_html } = await read("harmless");
    expect(body_html).toContain("<strong>bold</strong>");
    expect(body_html).not.toMatch(/<script|onclick|href/);
  });
});
