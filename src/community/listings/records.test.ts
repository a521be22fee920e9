import { describe, expect, test } from "vitest";
import { exportOf, importsInto, type Line, NOW, user } from "../../../test/community-file.ts";
import { databaseForEach, type OwnDatabase } from "../../../test/own-database.ts";

const database = databaseForEach();
const site = importsInto(database);

const listing = (slug: string, more: object = {}) => ({
  type: "listing",
  slug,
  author: "lena",
  title: `About ${slug}`,
  body_markdown: "Come _weave_",
  category: "cfp",
  created_at: "2026-01-02T03:04:05Z",
  ...more,
});
const PEOPLE = [user("lena"), { type: "organization", username: "tinkerlab", name: "Tinker Lab" }];

const stored = ({ db }: OwnDatabase) => db.selectFrom("listings").selectAll().orderBy("id").execute();

describe("a listing of a community file", () => {
  test("is stored whole, with its HTML", async () => {
    await site.load([
      ...PEOPLE,
      listing("looms-1a", {
        id: 55,
        organization: "TinkerLab",
        tags: ["Wool", "felt"],
        published: false,
        location: "Bilbao",
        expires_at: "2026-09-01T00:00:00Z",
        bumped_at: "2026-02-01T00:00:00.5Z",
      }),
      listing("plain-1b", { created_at: undefined }),
    ]);
    expect(await stored(database)).toMatchObject([
      {
        id: 55,
        author_id: 1,
        organization_id: 1,
        category_id: 1,
        body_html: "<p>Come <em>weave</em></p>\n",
        tag_list: ["wool", "felt"],
        published: false,
        location: "Bilbao",
        expires_at: new Date("2026-09-01T00:00:00Z"),
        bumped_at: new Date("2026-02-01T00:00:00.5Z"),
        created_at: new Date("2026-01-02T03:04:05Z"),
      },
      { id: 56, published: true, organization_id: null, location: null, created_at: NOW, bumped_at: NOW },
    ]);
    expect(await database.db.selectFrom("events").select("id").execute()).toEqual([]);
  });

  test("a second time changes nothing, and changed is changed", async () => {
    const nameless = listing("", { slug: undefined, title: "織機" });
    const file = [...PEOPLE, listing("looms-1a", { tags: ["wool"], location: "Here" }), nameless];
    await site.load(file);
    const before = await stored(database);
    expect(before[1]?.slug).toMatch(/^listing-[0-9a-p]{8}$/);
    expect(await site.load(file)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
    expect(await stored(database)).toEqual(before);
    const { updated } = await site.load([listing("looms-1a", { title: "Other" })]);
    expect(updated).toBe(1);
    expect((await stored(database))[0]).toMatchObject({
      id: 1,
      title: "Other",
      tag_list: [],
      location: null,
    });
  });

  test("stays unpublished when its file comes again, unless that says otherwise", async () => {
    await site.load([...PEOPLE, listing("looms-1a")]);
    await database.db.updateTable("listings").set({ published: false }).execute();
    expect(await site.load([listing("looms-1a")])).toMatchObject({ unchanged: 1 });
    expect(await stored(database)).toMatchObject([{ published: false }]);
    await site.load([listing("looms-1a", { published: true })]);
    expect(await stored(database)).toMatchObject([{ published: true }]);
  });

  test("carries tags by the names that are preferred", async () => {
    const tags = [
      { type: "tag", name: "wool" },
      { type: "tag", name: "yarn", alias_for: "wool" },
    ];
    await site.load([...PEOPLE, ...tags, listing("looms-1a", { tags: ["Yarn", "wool", "felt"] })]);
    expect((await stored(database))[0]?.tag_list).toEqual(["wool", "felt"]);
    const names = await database.db.selectFrom("tags").select("name").execute();
    expect(names).toHaveLength(2);
  });

  test.each<[object, string]>([
    [{ author: "nobody" }, 'author "nobody" is not a user of the site or of an earlier line'],
    [{ organization: "none" }, 'organization "none" is not one of the site or of an earlier line'],
    [{ category: "none" }, 'category "none" is not one of the site or of an earlier line'],
    [{ title: " " }, "Title can't be blank"],
    [{ body_markdown: "![x](y)" }, "Body markdown is not allowed to include images."],
    [{ location: "x".repeat(33) }, "Location is too long (maximum is 32 characters)"],
    [{ tags: "abcdefghi".split("") }, "Tag list exceed the maximum of 8 tags"],
    [{ tags: ["#a"] }, 'Tag "#a" contains non-alphanumeric or prohibited unicode characters'],
    [
      { slug: "A b" },
      'slug "A b" must be of the letters a-z, digits, - and _, and neither a number nor a reserved word',
    ],
    [{ no_such_key: 5 }, "no_such_key is not a known key"],
  ])("with %j is refused, and nothing is kept", async (fields, reason) => {
    const bad = listing("looms-1a", fields);
    await expect(site.load([...PEOPLE, listing("good-1b"), bad])).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(reason),
    });
    expect(await stored(database)).toEqual([]);
    const { bad: faults } = await site.load([...PEOPLE, bad, listing("good-1b")], { skipInvalid: true });
    expect(faults).toEqual([{ line: 3, reason: expect.stringContaining(reason) }]);
    expect(await stored(database)).toMatchObject([{ slug: "good-1b" }]);
  });
});

describe("a category of a community file", () => {
  const category = (slug: string, more: object = {}): Line => ({
    type: "listing_category",
    slug,
    name: slug,
    ...more,
  });
  const categories = () => database.db.selectFrom("listing_categories").selectAll().orderBy("id").execute();

  test("is added, and one that is there is changed", async () => {
    const file = [category("lost", { id: 40, position: 12 }), category("cfp", { name: "Talks" })];
    expect(await site.load(file)).toMatchObject({ created: 1, updated: 1 });
    const all = await categories();
    expect(all).toHaveLength(12);
    expect(all[0]).toEqual({ id: 1, slug: "cfp", name: "Talks", position: 1, standard: false });
    expect(all[11]).toEqual({ id: 40, slug: "lost", name: "lost", position: 12, standard: false });
    expect(await site.load(file)).toMatchObject({ unchanged: 2 });
  });

  test("needs a slug and a name", async () => {
    await expect(site.load([category("A b")])).rejects.toThrow("slug must be 1 to 50 of the letters a-z");
    await expect(site.load([category("lost", { name: "" })])).rejects.toThrow("name can't be blank");
  });
});

describe("an export", () => {
  const other = databaseForEach();
  const elsewhere = importsInto(other);
  const file = [
    ...PEOPLE,
    { type: "listing_category", slug: "lost", name: "Lost and found" },
    { type: "listing_category", slug: "misc", name: "This & that", position: 0 },
    listing("looms-1a", {
      id: 7,
      organization: "tinkerlab",
      tags: ["wool"],
      location: "Bilbao",
      category: "lost",
    }),
    listing("draft-1b", {
      published: false,
      expires_at: "2026-01-02T03:04:05.678Z",
      bumped_at: "2026-03-01T00:00:00Z",
    }),
  ];

  test.each([false, true])("is the same after a round trip, with --skip-invalid %s", async (skipInvalid) => {
    await site.load(file);
    const text = await exportOf(database.db);
    expect(text).toContain(
      '{"type":"listing","slug":"looms-1a","author":"lena","title":"About looms-1a","body_markdown":"Come _weave_","category":"lost","id":7,"organization":"tinkerlab","tags":["wool"],"published":true,"location":"Bilbao","bumped_at":"2026-01-02T03:04:05Z","created_at":"2026-01-02T03:04:05Z"}\n',
    );
    expect(text.match(/"listing_category"/g)).toHaveLength(2);
    const { skipped } = await elsewhere.load([text.trimEnd()], { skipInvalid });
    expect(skipped).toBe(0);
    expect(await exportOf(other.db)).toBe(text);
  });
});
