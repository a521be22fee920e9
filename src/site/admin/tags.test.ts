import { beforeAll, describe, expect, test } from "vitest";
import { cookieFor, postForm } from "../../../test/accounts.ts";
import { faultsIn } from "../../../test/health.ts";
import { worldForAll } from "../../../test/world.ts";
import { verify } from "../../operate/health/invariants.ts";

const world = worldForAll();
let cookie: string;
beforeAll(async () => {
  const lena = await world.user({ username: "lena", role: "admin" });
  cookie = await cookieFor(world, lena.id);
  await world.user({ username: "noor" });
  for (const name of ["garden", "gardening", "javascript", "plants"]) await world.tag({ name });
  await world.tag({ name: "beds", alias_for: "garden" });
  for (let n = 0; n < 30; n++)
    await world.article(lena, { slug: `bed-${n}a`, title: `Bed ${n}`, tags: ["garden", "spring"] });
  await world.article(lena, { slug: "both-1a", title: "Both", tags: ["garden", "soil", "gardening"] });
  await world.article(lena, { slug: "draft-1a", tags: ["garden"], published: false });
  await world.article(lena, { slug: "other-1a", tags: ["gardening"] });
  await world.listing(lena, { tags: ["soil", "garden"] });
  await world.follow({ user: "noor", tag: "garden" });
});

const post = (name: string, values: Record<string, string>) =>
  postForm(world, `/admin/tags/${name}`, values, { cookie });

/** Asks a server that runs meanwhile. */
async function get(url: string, key?: string): Promise<unknown> {
  await world.forget();
  return (await world.get(url, { key })).body;
}
const tagOf = (name: string) =>
  world.db.selectFrom("tags").selectAll().where("name", "=", name).executeTakeFirst();

test("a list has tags and aliases, and is searched by the beginning of a name", async () => {
  const page = async (url: string) =>
    (await world.get(url, { headers: { accept: "text/html", cookie } })).text;
  const all = await page("/admin/tags");
  for (const part of ["#garden", "#beds", "alias of #garden"]) expect(all).toContain(part);
  for (const query of ["after=%00", "q=%00"])
    expect(
      (await world.get(`/admin/tags?${query}`, { headers: { accept: "text/html", cookie } })).status,
    ).toBe(200);
  const found = await page("/admin/tags?q=%23GARDENI");
  expect([found.includes("#gardening"), found.includes("#garden<")]).toEqual([true, false]);
});

describe("the look of a tag", () => {
  const look = { bg_color_hex: "#f7df1e", text_color_hex: "#000000", short_summary: " In browsers " };

  test("is shown by the API, and emptied", async () => {
    expect((await post("javascript", look)).status).toBe(303);
    const shown = (await get("/api/tags?per_page=100")) as { name: string }[];
    expect(shown.find(({ name }) => name === "javascript")).toMatchObject({
      bg_color_hex: "#f7df1e",
      text_color_hex: "#000000",
    });
    expect((await post("javascript", { ...look, bg_color_hex: "" })).status).toBe(303);
    expect(await tagOf("javascript")).toMatchObject({
      bg_color_hex: null,
      text_color_hex: "#000000",
      short_summary: "In browsers",
    });
  });

  test.each([
    ["beds", look, 404],
    ["garden", { ...look, bg_color_hex: "red" }, 422],
    ["garden", { ...look, short_summary: "x".repeat(2_001) }, 422],
  ])("of %s stays, for %j", async (name, values, status) => {
    const before = await tagOf(name);
    expect((await post(name, values)).status).toBe(status);
    expect(await tagOf(name)).toEqual(before);
  });
});

describe("merging a tag", () => {
  test.each([
    ["nothing", "There is no tag &quot;nothing&quot;."],
    ["Garden", "garden can't be another name of itself"],
    ["a b", "Tag &quot;a b&quot; contains non-alphanumeric or prohibited unicode characters"],
    ["beds", "beds is another name of garden already: to turn that round, make beds a tag of its own first"],
  ])("into %s is refused", async (merge_into, sentence) => {
    const { status, text } = await post("garden", { act: "merge", merge_into });
    expect([status, text]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await tagOf("garden")).toMatchObject({ alias_for: null });
  });

  test("moves every article, and what follows the tag", async () => {
    expect((await post("garden", { act: "merge", merge_into: "gardening" })).status).toBe(303);
    for (const name of ["gardening", "garden", "beds"]) {
      const found = (await get(`/api/articles?tag=${name}&per_page=100`)) as { tag_list: string[] }[];
      expect([name, found.length]).toEqual([name, 32]);
      expect(found.filter(({ tag_list }) => tag_list.includes("garden"))).toEqual([]);
      expect(await get(`/api/articles/search?q=bed&tag=${name}&per_page=100`)).toHaveLength(30);
    }
    expect(await get("/api/articles/both-1a")).toMatchObject({ tags: ["gardening", "soil"] });
    const tags = (await get("/api/tags?per_page=100")) as { name: string }[];
    expect(tags.map(({ name }) => name)).toEqual(["gardening", "spring", "soil", "javascript", "plants"]);
    expect(await world.db.selectFrom("listings").select("tag_list").execute()).toEqual([
      { tag_list: ["soil", "gardening"] },
    ]);
    const draft = world.db.selectFrom("articles").select("tag_list").where("slug", "=", "draft-1a");
    expect(await draft.execute()).toEqual([{ tag_list: ["gardening"] }]);
    const key = await world.key({ id: 2 });
    expect(await get("/api/follows/tags", key)).toMatchObject([{ name: "gardening" }]);
    expect(faultsIn(await verify(world.db))).toEqual({});
  });
});

describe("an alias", () => {
  test("is another name of a tag, and may be new", async () => {
    for (const alias of ["JS", "js"])
      expect((await post("javascript", { act: "alias", alias })).status).toBe(303);
    await world.article({ username: "lena" }, { slug: "js-1a", tags: ["JS"] });
    expect(await get("/api/articles?tag=js")).toMatchObject([{ tag_list: ["javascript"] }]);
  });

  test("of another alias is one of the tag itself, and what carries it moves", async () => {
    for (const name of ["plants", "soil"])
      expect((await post(name, { act: "merge", merge_into: "beds" })).status).toBe(303);
    for (const name of ["plants", "soil"])
      expect(await tagOf(name)).toMatchObject({ alias_for: (await tagOf("gardening"))?.id });
    expect(await get("/api/articles/both-1a")).toMatchObject({ tags: ["gardening"] });
    expect(faultsIn(await verify(world.db))).toEqual({});
  });

  test("becomes a tag of its own again, once", async () => {
    expect((await post("js", { act: "own" })).status).toBe(303);
    expect(await get("/api/articles?tag=js")).toEqual([]);
    expect((await post("js", { act: "own" })).status).toBe(404);
  });

  test("is not made of what is no name", async () => {
    expect((await post("javascript", { act: "alias", alias: "a b" })).status).toBe(422);
    expect((await post("nothing", { act: "alias", alias: "newname" })).status).toBe(404);
    expect(await tagOf("newname")).toBeUndefined();
  });
});

test("each act that changed something is in the log", async () => {
  const logged = await world.db.selectFrom("staff_log").select(["act", "on_name"]).orderBy("id").execute();
  expect(logged.map(({ act, on_name }) => `${act} ${on_name}`)).toEqual([
    "edit_tag #javascript",
    "edit_tag #javascript",
    "alias_tag #garden",
    "alias_tag #js",
    "alias_tag #plants",
    "alias_tag #soil",
    "remove_alias #js",
  ]);
});
