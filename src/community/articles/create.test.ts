import { beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const NEXT_DAY = "2026-04-01T09:30:00Z";

describe("creating an article", () => {
  let ada: { id: number };
  let key: string;
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    ada = await world.user({ username: "ada", name: "Ada" });
    key = await world.key(ada);
  });

  const create = (article: Record<string, unknown>) =>
    world.request({ method: "POST", url: "/api/articles", key, body: { article } });

  test("answers a draft with an address that says so, and only its author sees it", async () => {
    const body_markdown = "First\r\nline  \n\n\u00e9 \u{1f345}\n\n";
    const { status, body, headers } = await create({ title: "  A  first\ttry ", body_markdown });
    expect(status).toBe(201);
    const article = body as { id: number; slug: string; url: string };
    expect(article).toMatchObject({
      type_of: "article",
      title: "A first try",
      body_markdown,
      description: "First line é 🍅",
      published_at: null,
      published_timestamp: "",
      readable_publish_date: null,
      edited_at: null,
      crossposted_at: null,
      last_comment_at: "2017-01-01T05:00:00Z",
      created_at: "2026-03-31T12:00:00Z",
      cover_image: null,
      canonical_url: article.url,
      collection_id: null,
      tag_list: "",
      tags: [],
      reading_time_minutes: 1,
      user: { username: "ada" },
    });
    expect(article.slug).toMatch(/^a-first-try-[0-9a-p]+-temp-slug-\d{1,7}$/);
    expect(article.url).toBe(`https://ink.example/ada/${article.slug}`);
    expect(headers["location"]).toBe(article.url);
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(article).not.toHaveProperty("warnings");
    expect(await world.get(`/api/articles/${article.id}`)).toMatchObject({ status: 404 });
    const read = await world.get(`/api/articles/${article.id}`, { key });
    expect(read.body).toEqual(body);
    expect(read.headers["etag"]).toBe(headers["etag"]);
  });

  test("publishes at once, with tags under their preferred names, and is read and found at once", async () => {
    await world.tag({ name: "plants" });
    await world.tag({ name: "plant", alias_for: "plants" });
    const { status, body } = await create({
      title: "Growing tomatoes",
      body_markdown: "Start with **three** pots.",
      published: true,
      tags: ["Garden", "plant", "plants"],
      main_image: "https://pictures.example/a.png",
      canonical_url: " https://elsewhere.example/tomatoes ",
      description: "Pots and string.",
    });
    expect(status).toBe(201);
    const article = body as { id: number; slug: string };
    expect(article).toMatchObject({
      published_at: "2026-03-31T12:00:00Z",
      published_timestamp: "2026-03-31T12:00:00Z",
      readable_publish_date: "Mar 31",
      tags: ["garden", "plants"],
      tag_list: "garden, plants",
      cover_image: "https://pictures.example/a.png",
      social_image: "https://pictures.example/a.png",
      canonical_url: "https://elsewhere.example/tomatoes",
      description: "Pots and string.",
      body_html: "<p>Start with <strong>three</strong> pots.</p>\n",
    });
    expect(article.slug).toMatch(/^growing-tomatoes-[0-9a-p]{1,4}$/);
    expect((await world.get(`/api/articles/${article.slug}`)).body).toEqual(body);
    expect((await world.get("/api/articles/search?q=tomatoes")).body).toMatchObject([{ id: article.id }]);
    expect((await world.get("/api/articles/latest")).body).toMatchObject([{ id: article.id }]);
    const events = await eventsOf(world, article.id);
    expect(events).toEqual(["article_created true", "article_published"]);
  });

  test("a date to come schedules: hidden until its minute, under its final address", async () => {
    const { status, body } = await create({
      title: "Tomorrow",
      body_markdown: "",
      published: true,
      published_at: NEXT_DAY,
    });
    expect(status).toBe(201);
    const { id, slug } = body as { id: number; slug: string };
    expect(body).toMatchObject({
      published_at: NEXT_DAY,
      description: "A post by Ada",
      reading_time_minutes: 0,
    });
    expect(slug).toMatch(/^tomorrow-[0-9a-p]{1,4}$/);
    expect(await world.get(`/api/articles/${slug}`)).toMatchObject({ status: 404 });
    expect(await eventsOf(world, id)).toEqual(["article_created false"]);
  });

  test("makes series by their text once, and takes the series of its author by number", async () => {
    const first = await create({ title: "Part 1", body_markdown: "a", series: " My series " });
    const id = (first.body as { collection_id: number }).collection_id;
    expect(id).toEqual(expect.any(Number));
    const second = await create({ title: "Part 2", body_markdown: "a", collection_id: id });
    const third = await create({
      title: "Part 3",
      body_markdown: "a",
      series: "My series",
      collection_id: 99,
    });
    expect([second.body, third.body]).toMatchObject([{ collection_id: id }, { collection_id: id }]);
  });

  test("under an organization of the author, and without one where they are no member", async () => {
    const mine = await world.organization({
      username: "mine",
      members: [{ username: "ada", role: "member" }],
    });
    const other = await world.organization({ username: "other" });
    const within = await create({ title: "Within", body_markdown: "a", organization_id: mine.id });
    expect(within.body).toMatchObject({
      organization: { username: "mine" },
      path: expect.stringMatching(/^\/mine\/within-/),
    });
    const without = await create({ title: "Without", body_markdown: "a", organization_id: other.id });
    expect(without.status).toBe(201);
    expect(without.body).not.toHaveProperty("organization");
    expect(without.body).toMatchObject({
      warnings: ["Attribute organization_id was ignored: you are not a member of that organization."],
    });
  });

  test("under an organization whose number is given as a text, and without one for an empty text", async () => {
    const mine = await world.organization({ members: [{ username: "ada", role: "member" }] });
    const article = { title: "Numbered", body_markdown: "a", organization_id: String(mine.id) };
    expect((await create(article)).body).toMatchObject({ organization: { username: mine.username } });
    const { body } = await create({ title: "Of nobody", body_markdown: "a", organization_id: "" });
    expect(body).not.toHaveProperty("organization");
    expect(body).not.toHaveProperty("warnings");
  });

  test.each(["mine", 0, 1.5, [1]])(
    "ignores the organization_id %j, and says what one is",
    async (organization_id) => {
      const { status, body } = await create({
        title: `Of ${JSON.stringify(organization_id)}`,
        body_markdown: "a",
        organization_id,
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        warnings: [
          "Attribute organization_id was ignored: it must be the number of an organization, such as 3.",
        ],
      });
    },
  );

  test("of a draft ignores published_at, and says how it counts", async () => {
    const draft = { title: "Undated", body_markdown: "a", published_at: NEXT_DAY };
    const { body } = await create(draft);
    const warnings = ["Attribute published_at was ignored: send it with published: true."];
    expect(body).toMatchObject({ published_at: null, warnings });
    const { id } = body as { id: number };
    const url = `/api/articles/${id}`;
    const put = (article: object) => world.request({ method: "PUT", url, key, body: { article } });
    expect(await put({ published_at: NEXT_DAY })).toMatchObject({ body: { published_at: null, warnings } });
    expect((await put({ published: true, published_at: NEXT_DAY })).body).not.toHaveProperty("warnings");
  });

  test("reads tags from a text, and ignores attributes that it doesn't know", async () => {
    const { body } = await create({
      title: "Loose",
      body_markdown: "a",
      tags: "one, Two",
      id: 4711,
      score: 99,
      slug: "mine",
      author_id: 77,
      user_id: 77,
      state: "published",
    });
    expect(body).toMatchObject({ tags: ["one", "two"], published_at: null, user: { username: "ada" } });
    expect(body).not.toMatchObject({ id: 4711 });
  });

  test("answers with the flare of a tag that no article had before", async () => {
    const { body } = await create({
      title: "Talk",
      body_markdown: "T",
      tags: ["watercooler"],
      published: true,
    });
    const { id, flare_tag } = body as { id: number; flare_tag: unknown };
    expect(flare_tag).toMatchObject({ name: "watercooler" });
    expect((await world.request({ url: `/api/articles/${id}` })).body).toMatchObject({ flare_tag });
  });
});

async function eventsOf(world: World, id: number): Promise<string[]> {
  const events = await world.db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute();
  return events
    .map(({ type, payload }) => ({ type, payload: payload as { article_id?: number; published?: boolean } }))
    .filter(({ payload }) => payload.article_id === id)
    .map(({ type, payload }) => [type, payload.published].filter((part) => part !== undefined).join(" "));
}
