import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { snapshot } from "../../../test/own-database.ts";
import { type Reply, worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const HOUR_MS = 3_600_000;

const keys: Record<string, string> = {};
let groups: { id: number }[];
let id: number;
const world = worldForAll({ now: NOW });
beforeAll(async () => {
  for (const username of ["lena", "mia", "orla", "stan"])
    keys[username] = await world.key(await world.user({ username }));
  keys["ada"] = await world.key(await world.user({ username: "ada", role: "admin" }));
  const members = [
    { username: "lena", role: "member" },
    { username: "mia", role: "member" },
    { username: "orla", role: "admin" },
  ];
  groups = [
    await world.organization({ username: "tinkerlab", members }),
    await world.organization({ username: "second", members: [{ username: "lena", role: "member" }] }),
    await world.organization({ username: "foreign" }),
  ];
});

beforeEach(async () => {
  world.setNow(NOW);
  const made = await world.listing(
    { username: "lena" },
    {
      title: "Loom",
      organization: "tinkerlab",
      tags: ["wool"],
      location: "Bilbao",
      expires_at: "2026-09-01T00:00:00Z",
      bumped_at: "2026-03-31T00:00:00Z",
    },
  );
  id = made.id;
});

const put = (listing: unknown, { as = "lena", ...headers }: Record<string, string> = {}): Promise<Reply> =>
  world.request({ method: "PUT", url: `/api/listings/${id}`, key: keys[as], headers, body: { listing } });
const read = () => world.get(`/api/listings/${id}`, { key: keys["lena"] });

describe("PUT /api/listings/{id}", () => {
  test("changes what is named and leaves the rest", async () => {
    const before = (await read()).body as object;
    const { status, body, headers } = await put({
      title: "Loom for sale",
      body_markdown: "**Cheap**",
      category: "forsale",
    });
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        title: "Loom for sale",
        body_markdown: "**Cheap**",
        processed_html: "<p><strong>Cheap</strong></p>\n",
        category: "forsale",
        listing_category_id: 9,
      },
    ]);
    expect(headers["etag"]).toBe((await read()).headers["etag"]);
  });

  test("replaces all tags, and takes away what is emptied", async () => {
    expect((await put({ tags: ["silk", "felt"] })).body).toMatchObject({ tag_list: "silk, felt" });
    expect((await put({ tag_list: "linen" })).body).toMatchObject({ tags: ["linen"] });
    expect((await put({ tags: [], location: "", expires_at: "" })).body).toMatchObject({
      tags: [],
      location: null,
      expires_at: null,
    });
  });

  test("takes null for nothing said, and ignores what it doesn't know", async () => {
    const before = (await read()).body;
    const nothing = {
      title: null,
      body_markdown: null,
      category: null,
      listing_category_id: null,
      tags: null,
    };
    const more = { tag_list: null, location: null, expires_at: null, organization_id: null, action: null };
    const events = await countEvents();
    expect(await put({ ...nothing, ...more, slug: "other", published: false })).toMatchObject({
      status: 200,
      body: before,
    });
    expect(await countEvents()).toBe(events);
  });

  test("moves it to another organization of the writer, but to no foreign one", async () => {
    expect((await put({ organization_id: groups[1]?.id })).body).toMatchObject({
      organization: { username: "second" },
    });
    const before = await snapshot(world.db);
    for (const organization_id of [groups[2]?.id, 99, String(groups[2]?.id)]) {
      expect((await put({ organization_id, title: "Other" })).status).toBe(401);
    }
    expect(await snapshot(world.db)).toEqual(before);
    // Given as a text, and with nothing said.
    expect((await put({ organization_id: String(groups[0]?.id) })).body).toMatchObject({
      organization: { username: "tinkerlab" },
    });
    expect((await put({ organization_id: "" })).body).toMatchObject({
      organization: { username: "tinkerlab" },
    });
  });

  test("works by PATCH and with the wrapper of old too", async () => {
    const call = { method: "PATCH", url: `/api/listings/${id}`, key: keys["lena"] };
    const reply = await world.request({ ...call, body: { classified_listing: { title: "Patched" } } });
    expect(reply).toMatchObject({ status: 200, body: { title: "Patched" } });
  });

  test("refuses what a listing can't be, and changes nothing", async () => {
    const before = await snapshot(world.db);
    const refused: [unknown, object][] = [
      [{ title: "" }, { errors: { title: ["can't be blank"] } }],
      [{ listing_category_id: 99 }, { errors: { listing_category: ["must exist"] } }],
      [{ category: "x" }, { errors: { listing_category: ["must exist"] } }],
      [
        { organization_id: "second" },
        { errors: { organization_id: ["must be the number of an organization, such as 3"] } },
      ],
      [{ action: "draft" }, { errors: { action: ["must be one of publish, unpublish, bump"] } }],
      [{ action: 5 }, { errors: { action: ["must be one of publish, unpublish, bump"] } }],
      [{}, { error: "param is missing or the value is empty: listing", status: 422 }],
      [undefined, { error: "param is missing or the value is empty: listing", status: 422 }],
    ];
    for (const [listing, body] of refused) expect(await put(listing)).toMatchObject({ status: 422, body });
    expect(await snapshot(world.db)).toEqual(before);
  });
});

const countEvents = async () => (await world.db.selectFrom("events").select("id").execute()).length;

describe("actions", () => {
  test("unpublish and publish, whatever else is sent", async () => {
    expect(await put({ action: "unpublish", title: "" })).toMatchObject({
      status: 200,
      body: { published: false, title: "Loom" },
    });
    expect((await world.get(`/api/listings/${id}`)).status).toBe(404);
    expect((await put({ action: "unpublish" })).status).toBe(200);
    expect((await put({ action: "publish", organization_id: "x" })).body).toMatchObject({
      published: true,
      title: "Loom",
    });
    const events = await world.db
      .selectFrom("events")
      .select(["type", "payload"])
      .orderBy("id", "desc")
      .limit(2)
      .execute();
    const changed = { type: "listing_updated", payload: { listing_id: id, published: true } };
    expect(events).toEqual([changed, changed]);
  });

  test("bump moves it to the top once in 24 hours", async () => {
    await world.listing({ username: "stan" }, { slug: `top-${id}x`, bumped_at: "2026-03-31T11:00:00Z" });
    const top = async () => ((await world.get("/api/listings")).body as { id: number }[])[0]?.id;
    expect(await put({ action: "bump" })).toMatchObject({
      status: 429,
      headers: { "retry-after": String(12 * 3_600) },
      body: { error: "Rate limit reached, try again in 43200 seconds", status: 429 },
    });
    expect(await top()).not.toBe(id);
    world.setNow(new Date(NOW.getTime() + 12 * HOUR_MS));
    expect((await put({ action: "bump" })).status).toBe(200);
    expect(await top()).toBe(id);
    world.setNow(new Date(NOW.getTime() + 36 * HOUR_MS - 500));
    expect(await put({ action: "bump" })).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  });

  test("of twenty bumps at once one is done", async () => {
    world.setNow(new Date(NOW.getTime() + 48 * HOUR_MS));
    const replies = await Promise.all(Array.from({ length: 20 }, () => put({ action: "bump" })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });
});

describe("If-Match", () => {
  test("refuses a change of what has changed, before anything else of it is looked at", async () => {
    const etag = String((await read()).headers["etag"]);
    const changed = await put({ title: "First" }, { "if-match": etag });
    expect(changed.status).toBe(200);
    for (const listing of [{ title: "Second" }, { title: "" }, { action: "bump" }]) {
      expect(await put(listing, { "if-match": etag })).toMatchObject({
        status: 412,
        body: { error: "precondition failed", status: 412 },
      });
    }
    expect((await put({ title: "Third" }, { "if-match": String(changed.headers["etag"]) })).status).toBe(200);
  });
});

describe("who may change it", () => {
  const tries = async (as: string) => (await put({ title: `By ${as}` }, { as })).status;

  test("its author, and an admin of its organization", async () => {
    expect([await tries("lena"), await tries("orla")]).toEqual([200, 200]);
    await put({ action: "unpublish" });
    expect([await tries("lena"), await tries("orla")]).toEqual([200, 200]);
  });

  test("an admin of its organization reads an unpublished one, also in the answer to a change", async () => {
    await put({ action: "unpublish" });
    expect((await put({ title: "Told" }, { as: "orla" })).body).toMatchObject({
      title: "Told",
      published: false,
    });
    expect((await world.get(`/api/listings/${id}`, { key: keys["orla"] })).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  test("others don't: 401 for a visible one, 404 for a hidden or missing one", async () => {
    const others = ["mia", "stan", "ada"];
    const before = await snapshot(world.db);
    for (const as of others) expect([as, await tries(as)]).toEqual([as, 401]);
    // Who may not write it isn't told what else is wrong.
    const blank = await world.request({
      method: "PUT",
      url: `/api/listings/${id}`,
      key: keys["mia"],
      body: {},
    });
    expect(blank.status).toBe(401);
    expect(await snapshot(world.db)).toEqual(before);
    await put({ action: "unpublish" });
    const url = "/api/listings/2000000000";
    const unknown = await world.request({
      method: "PUT",
      url,
      key: keys["stan"],
      body: { listing: { title: "x" } },
    });
    for (const as of others) {
      const reply = await put({ title: "x" }, { as });
      expect([as, reply.status, reply.text]).toEqual([as, 404, unknown.text]);
    }
    expect((await read()).body).toMatchObject({ title: "Loom" });
    expect(world.bugs).toEqual([]);
  });
});
