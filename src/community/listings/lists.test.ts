import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import { shown } from "./queries.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

interface Shown {
  id: number;
  slug: string;
}

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  await world.user({ username: "lena" });
  await world.user({ username: "noor", microblog_username: "noor" });
  await world.organization({ username: "tinkerlab", name: "Tinker Lab" });
  await world.organization({ username: "empty" });
  const lena = { username: "lena" };
  const noor = { username: "noor" };
  const on = (day: number) => ({ bumped_at: `2026-03-${String(day).padStart(2, "0")}T08:00:00Z` });
  await world.listing(lena, { slug: "old-1", category: "cfp", organization: "tinkerlab", ...on(1) });
  await world.listing(noor, {
    slug: "new-2",
    title: "Loom conference",
    body_markdown: "Come _weave_ with @lena",
    category: "cfp",
    tags: ["events", "weaving"],
    location: "Bilbao",
    organization: "tinkerlab",
    expires_at: "2026-04-01T00:00:00Z",
    created_at: "2026-03-01T08:00:00.123Z",
    ...on(20),
  });
  await world.listing(noor, { slug: "misc-3", ...on(10) });
  await world.listing(noor, { slug: "twin-4", ...on(10) });
  await world.listing(lena, { slug: "hidden-5", published: false, organization: "tinkerlab", ...on(30) });
  const expired = { expires_at: "2026-03-31T12:00:00Z", organization: "tinkerlab", ...on(29) };
  await world.listing(lena, { slug: "expired-6", category: "cfp", ...expired });
});

async function slugs(url: string): Promise<string[]> {
  const { status, body } = await world.get(url);
  expect([url, status]).toEqual([url, 200]);
  return (body as Shown[]).map(({ slug }) => slug);
}

describe("GET /api/listings", () => {
  test("lists what is published and hasn't expired, the last bumped first", async () => {
    expect(await slugs("/api/listings")).toEqual(["new-2", "twin-4", "misc-3", "old-1"]);
  });

  test("shows listings whole", async () => {
    const { body, headers } = await world.get("/api/listings?per_page=1");
    expect(body).toEqual([
      {
        type_of: "listing",
        id: expect.any(Number),
        title: "Loom conference",
        slug: "new-2",
        body_markdown: "Come _weave_ with @lena",
        category: "cfp",
        processed_html: expect.stringMatching(
          /^<p>Come <em>weave<\/em> with <a .*href="\/lena".*>@lena<\/a><\/p>\n$/,
        ),
        published: true,
        listing_category_id: 1,
        tag_list: "events, weaving",
        tags: ["events", "weaving"],
        location: "Bilbao",
        expires_at: "2026-04-01T00:00:00Z",
        created_at: "2026-03-01T08:00:00Z",
        user: expect.objectContaining({ username: "noor", microblog_username: "noor" }),
        organization: expect.objectContaining({ username: "tinkerlab", slug: "tinkerlab" }),
      },
    ]);
    expect(headers).toMatchObject({
      etag: expect.stringMatching(/^W\//),
      "cache-control": "public, no-cache",
      "access-control-allow-origin": "*",
      link: expect.stringMatching(/page=1>; rel="first", <.*per_page=1&page=2>; rel="next"$/),
    });
    const { body: others } = await world.get("/api/listings?page=2&per_page=1");
    expect((others as object[])[0]).toMatchObject({
      location: null,
      expires_at: null,
      tag_list: "",
      tags: [],
    });
    expect((others as object[])[0]).not.toHaveProperty("organization");
  });

  test("cuts pages, and ends", async () => {
    expect(await slugs("/api/listings?per_page=3&page=2")).toEqual(["old-1"]);
    expect(await slugs("/api/listings?per_page=3&page=3")).toEqual([]);
    expect(await slugs("/api/listings?page=2147483647&per_page=1000")).toEqual([]);
    for (const query of ["page=0", "per_page=0", "per_page=1001", "page=x"]) {
      expect((await world.get(`/api/listings?${query}`)).status).toBe(422);
    }
  });
});

describe("listings of one category", () => {
  test.each(["/api/listings/category/cfp", "/api/listings?category=cfp", "/api/listings?category=CFP"])(
    "%s",
    async (url) => {
      expect(await slugs(url)).toEqual(["new-2", "old-1"]);
    },
  );

  test.each(["nothing", "jobs", "%00", "1", "%F0%9F%A6%8A"])("are none in %s", async (category) => {
    expect(await slugs(`/api/listings?category=${category}`)).toEqual([]);
    if (category === "%00") return;
    expect(await slugs(`/api/listings/category/${category}`)).toEqual([]);
  });
});

describe("GET /api/organizations/{username}/listings", () => {
  test("lists what is the organization's, by its username or its number", async () => {
    expect(await slugs("/api/organizations/TinkerLab/listings")).toEqual(["new-2", "old-1"]);
    expect(await slugs("/api/organizations/tinkerlab/listings?per_page=1&page=2")).toEqual(["old-1"]);
    expect(await slugs("/api/organizations/tinkerlab/listings?category=misc")).toEqual([]);
    expect(await slugs("/api/organizations/empty/listings")).toEqual([]);
    const { id } = (await world.get("/api/organizations/tinkerlab")).body as { id: number };
    expect(await slugs(`/api/organizations/${id}/listings`)).toEqual(["new-2", "old-1"]);
  });

  test.each(["lena", "nobody", "99", "0", "%00", "a b"])("is 404 for %s, who is none", async (username) => {
    const { status, body } = await world.get(`/api/organizations/${username}/listings`);
    expect([status, body]).toEqual([404, { error: "not found", status: 404 }]);
  });
});

test("a page of a hundred costs no more statements than a page of one", async () => {
  for (let n = 0; n < 20; n++)
    await world.listing({ username: "lena" }, { slug: `many-${n}x`, category: "jobs" });
  for (const path of ["/api/listings?category=jobs&", "/api/organizations/tinkerlab/listings?"]) {
    const counts = [];
    for (const perPage of [1, 100]) {
      counts.push(await world.countStatements(() => world.get(`${path}per_page=${perPage}`)));
    }
    expect(counts).toEqual([2, 2]);
  }
});

describe("what expired long ago", () => {
  const past = (date: string) =>
    sql`insert into listings
    (author_id, category_id, slug, title, body_markdown, body_html, renderer_version, published, expires_at, bumped_at)
    select 1, 11, 'past-' || n || 'x', 'Past', repeat('Past ', 80), repeat('Past ', 80), 1, true, ${date}::timestamptz, ${NOW}::timestamptz - n * interval '1 s'
    from generate_series(1, 20000) as n`.execute(world.db);

  test("is skipped in the index of a list, and not read", async () => {
    await past("2026-01-01");
    expect(await slugs("/api/listings?category=misc")).toEqual(["twin-4", "misc-3"]);
    await sql`vacuum analyze listings`.execute(world.superuser);
    const { rows } = await sql<{ blocks: number }>`
      select (pg_relation_size('listings') / 8192)::int as blocks`.execute(world.db);
    for (const narrowed of [{}, { categoryId: 11 }, { organizationId: 1 }]) {
      const plan = await shown(world.db, { ...narrowed, now: NOW })
        .limit(31)
        .explain("json", sql`analyze, buffers`);
      const [{ Plan: top }] = (plan[0] as { "QUERY PLAN": [{ Plan: Record<string, number> }] })["QUERY PLAN"];
      const read = (top["Shared Hit Blocks"] ?? NaN) + (top["Shared Read Blocks"] ?? NaN);
      expect(read).toBeLessThan((rows[0]?.blocks ?? NaN) / 10);
    }
  });

  test("is back with another date", async () => {
    const key = await world.key({ id: 1 });
    const { id } = await world.db
      .selectFrom("listings")
      .select("id")
      .where("slug", "=", "expired-6")
      .executeTakeFirstOrThrow();
    const body = { listing: { expires_at: "2026-05-01" } };
    const { status } = await world.request({ method: "PUT", url: `/api/listings/${id}`, key, body });
    expect(status).toBe(200);
    expect(await slugs("/api/listings?category=cfp&per_page=1")).toEqual(["expired-6"]);
  });
});
