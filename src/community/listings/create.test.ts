import { beforeAll, describe, expect, test } from "vitest";
import { snapshot } from "../../../test/own-database.ts";
import { type Reply, worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00.500Z");

let key: string;
let group: { id: number };
const world = worldForAll({ now: NOW });
beforeAll(async () => {
  key = await world.key(await world.user({ username: "lena" }));
  await world.user({ username: "noor" });
  group = await world.organization({
    username: "tinkerlab",
    members: [{ username: "lena", role: "member" }],
  });
  await world.organization({ username: "foreign", members: [{ username: "noor", role: "admin" }] });
  await world.tag({ name: "wool" });
  await world.tag({ name: "yarn", alias_for: "wool" });
});

const GOOD = { title: "Loom conference", body_markdown: "Come _weave_", category: "cfp" };

const send = (
  body: unknown,
  headers: Record<string, string> = {},
  as: string | undefined = key,
): Promise<Reply> => world.request({ method: "POST", url: "/api/listings", key: as, headers, body });
const create = (fields: object) => send({ listing: fields });

describe("POST /api/listings", () => {
  test("makes a listing that is published at once", async () => {
    const { status, headers, body } = await create({
      ...GOOD,
      title: "  Loom\n conference ",
      tags: ["Weaving", "yarn", "wool"],
      location: " Bilbao ",
      expires_at: "2026-09-01T02:00:00+02:00",
      organization_id: group.id,
      no_such_key: 5,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type_of: "listing",
      title: "Loom conference",
      slug: expect.stringMatching(/^loom-conference-[0-9a-p]{1,4}$/),
      body_markdown: "Come _weave_",
      processed_html: "<p>Come <em>weave</em></p>\n",
      category: "cfp",
      listing_category_id: 1,
      published: true,
      tag_list: "weaving, wool",
      tags: ["weaving", "wool"],
      location: "Bilbao",
      expires_at: "2026-09-01T00:00:00Z",
      created_at: "2026-03-31T12:00:00Z",
      user: { username: "lena" },
      organization: { username: "tinkerlab" },
    });
    const { warnings, ...listing } = body as { id: number; warnings: string[] };
    const { id } = listing;
    expect(warnings).toEqual(['Attribute "no_such_key" is unknown and was ignored.']);
    expect(headers).toMatchObject({
      location: `https://ink.example/api/listings/${id}`,
      "cache-control": "private, no-store",
    });
    const read = await world.get(`/api/listings/${id}`);
    expect([read.body, read.headers["etag"]]).toEqual([listing, headers["etag"]]);
    expect(((await world.get("/api/listings")).body as object[])[0]).toEqual(listing);
    const events = await world.db
      .selectFrom("events")
      .select(["type", "payload"])
      .orderBy("id", "desc")
      .execute();
    expect(events[0]).toEqual({ type: "listing_created", payload: { listing_id: id, published: true } });
  });

  test("makes a draft, which only its author sees", async () => {
    const { status, body } = await create({ ...GOOD, action: "draft" });
    expect([status, body]).toEqual([201, expect.objectContaining({ published: false })]);
    expect((await world.get(`/api/listings/${(body as { id: number }).id}`)).status).toBe(404);
  });

  test("takes the wrapper of old, a category's number and tags as a text", async () => {
    const { title, body_markdown } = GOOD;
    const fields = { title, body_markdown, listing_category_id: 5, tag_list: "Jobs, wool ,jobs" };
    expect((await send({ classified_listing: fields })).body).toMatchObject({
      category: "jobs",
      tags: ["jobs", "wool"],
    });
    expect((await create({ ...fields, category: "misc", tags: ["one"] })).body).toMatchObject({
      category: "misc",
      tags: ["one"],
    });
    expect((await send({ listing: null, classified_listing: fields })).status).toBe(201);
  });

  test("takes numbers as texts, and an empty text for nothing", async () => {
    const { title, body_markdown } = GOOD;
    const fields = { title, body_markdown, listing_category_id: "5" };
    expect((await create({ ...fields, organization_id: String(group.id) })).body).toMatchObject({
      category: "jobs",
      organization: { username: "tinkerlab" },
    });
    const { status, body } = await create({ ...GOOD, listing_category_id: "", organization_id: "" });
    expect([status, body]).toEqual([201, expect.not.objectContaining({ organization: expect.anything() })]);
  });

  test("makes a slug without Latin letters too, no tag that everybody sees, and no dangerous HTML", async () => {
    expect((await create({ ...GOOD, title: "織機" })).body).toMatchObject({
      slug: expect.stringMatching(/^listing-[0-9a-p]+-[0-9a-p]+$/),
    });
    await create({ ...GOOD, tags: ["neverheard"] });
    expect((await world.get("/api/tags?per_page=1000")).text).not.toContain("neverheard");
    const body_markdown = '<script>alert(1)</script> [x](javascript:alert(1)) <b onclick="x">b</b>';
    const { processed_html } = (await create({ ...GOOD, body_markdown })).body as { processed_html: string };
    expect(processed_html).not.toMatch(/script>|href="javascript|onclick/);
  });
});

const MISSING = { error: "param is missing or the value is empty: listing", status: 422 };
const BODY = "body_markdown";
const NO_ORGANIZATION = "must be the number of an organization, such as 3";

describe("refuses, and makes nothing", () => {
  test.each<[string, unknown]>([
    ["no wrapper", GOOD],
    ["nothing", {}],
    ["an empty wrapper", { listing: {} }],
    ["a text", { listing: "x" }],
    ["an array", { listing: [GOOD] }],
    ["null", { listing: null, classified_listing: null }],
    ["an empty wrapper beside a full one", { listing: {}, classified_listing: GOOD }],
  ])("%s", async (_, body) => {
    const before = await snapshot(world.db);
    const reply = await send(body);
    expect([reply.status, reply.body]).toEqual([422, MISSING]);
    expect(await snapshot(world.db)).toEqual(before);
  });

  test.each<[object, Record<string, string[]>]>([
    [{ category: undefined }, { listing_category: ["must exist"] }],
    [{ category: "nothing" }, { listing_category: ["must exist"] }],
    [{ category: 5 }, { listing_category: ["must exist"] }],
    [{ category: undefined, listing_category_id: 99 }, { listing_category: ["must exist"] }],
    [{ category: undefined, listing_category_id: "x" }, { listing_category: ["must exist"] }],
    [{ title: undefined }, { title: ["can't be blank"] }],
    [{ title: "  " }, { title: ["can't be blank"] }],
    [{ title: "x".repeat(129) }, { title: ["is too long (maximum is 128 characters)"] }],
    [{ title: 5 }, { title: ["must be a string"] }],
    [{ [BODY]: null }, { [BODY]: ["can't be blank"] }],
    [{ [BODY]: "" }, { [BODY]: ["can't be blank"] }],
    [{ [BODY]: "x".repeat(401) }, { [BODY]: ["is too long (maximum is 400 characters)"] }],
    [{ [BODY]: "x\n".repeat(13) }, { [BODY]: ["has too many linebreaks. No more than 12 allowed."] }],
    [{ [BODY]: "![a](https://a.example/a.png)" }, { [BODY]: ["is not allowed to include images."] }],
    [{ [BODY]: '<IMG src="https://a.example/a.png">' }, { [BODY]: ["is not allowed to include images."] }],
    [{ [BODY]: "{% youtube x %}" }, { [BODY]: ["is not allowed to include liquid tags."] }],
    [
      { [BODY]: `![${"\r\n".repeat(13)}{%x` },
      {
        [BODY]: [
          "has too many linebreaks. No more than 12 allowed.",
          "is not allowed to include images.",
          "is not allowed to include liquid tags.",
        ],
      },
    ],
    [{ location: "x".repeat(33) }, { location: ["is too long (maximum is 32 characters)"] }],
    [{ tags: "abcdefghi".split("") }, { tag_list: ["exceed the maximum of 8 tags"] }],
    [{ tags: [1] }, { tag_list: ['must be an array of strings, such as ["garden", "beginners"]'] }],
    [{ tags: ["#a"] }, { tag: ['"#a" contains non-alphanumeric or prohibited unicode characters'] }],
    [{ expires_at: "tomorrow" }, { expires_at: ["must be a date-time such as 2026-03-02T09:15:00Z"] }],
    [{ organization_id: "tinkerlab" }, { organization_id: [NO_ORGANIZATION] }],
    [
      { organization_id: 0, title: "" },
      { title: ["can't be blank"], organization_id: [NO_ORGANIZATION] },
    ],
    [{ action: "bump" }, { action: ["must be one of draft, publish"] }],
    [
      { title: "", category: "x", [BODY]: undefined },
      { title: ["can't be blank"], [BODY]: ["can't be blank"], listing_category: ["must exist"] },
    ],
  ])("%j", async (fields, errors) => {
    const before = await snapshot(world.db);
    const reply = await create({ ...GOOD, ...fields });
    expect([reply.status, reply.body]).toEqual([422, { errors }]);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(await snapshot(world.db)).toEqual(before);
  });

  test.each([
    ["that the caller isn't in", 2],
    ["that isn't there", 99],
    ["that the caller isn't in, by a text", "2"],
  ])("an organization %s", async (_, organization_id) => {
    const before = await snapshot(world.db);
    // Before what is wrong with the rest.
    const reply = await create({ organization_id });
    expect([reply.status, reply.body]).toEqual([
      401,
      { error: "unauthorized", status: 401, detail: expect.any(String) },
    ]);
    expect(await snapshot(world.db)).toEqual(before);
  });

  test("a request without a key", async () => {
    expect(
      (await world.request({ method: "POST", url: "/api/listings", body: { listing: GOOD } })).status,
    ).toBe(401);
  });

  test("nothing that is as long as it may be", async () => {
    const most = {
      title: "🧶".repeat(128),
      body_markdown: `${"x\n".repeat(12)}${"🧶".repeat(376)}`,
      location: "🧶".repeat(32),
      tags: "abcdefgh".split(""),
    };
    expect((await create({ ...GOOD, ...most })).status).toBe(201);
  });
});

test("with an Idempotency-Key it is made once", async () => {
  const headers = { "idempotency-key": "once" };
  const body = { listing: { ...GOOD, title: "Once" } };
  const [first, second] = [await send(body, headers), await send(body, headers)];
  expect([first.status, second.text]).toEqual([201, first.text]);
  expect(second.headers).toMatchObject({
    "idempotent-replayed": "true",
    location: first.headers["location"],
  });
  expect((await send({ listing: GOOD }, headers)).status).toBe(422);
  expect(world.bugs).toEqual([]);
});
