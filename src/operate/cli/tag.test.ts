import { beforeAll, describe, expect, test } from "vitest";
import { commandsWith, type Outcome, urlOf } from "../../../test/commands.ts";
import { verify } from "../health/invariants.ts";
import { worldForAll } from "../../../test/world.ts";

const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(world.name) }));
const world = worldForAll();
beforeAll(async () => {
  const lena = await world.user({ username: "lena" });
  await world.user({ username: "noor" });
  for (const name of ["garden", "gardening", "javascript", "plants"]) await world.tag({ name });
  await world.tag({ name: "beds", alias_for: "garden" });
  for (let n = 0; n < 30; n++) {
    await world.article(lena, { slug: `bed-${n}a`, title: `Bed ${n}`, tags: ["garden", "spring"] });
  }
  await world.article(lena, { slug: "both-1a", title: "Both", tags: ["garden", "soil", "gardening"] });
  await world.article(lena, { slug: "draft-1a", tags: ["garden"], published: false });
  await world.article(lena, { slug: "other-1a", tags: ["gardening"] });
  await world.listing(lena, { tags: ["soil", "garden"] });
  await world.follow({ user: "noor", tag: "garden" });
});

const tag = (...args: string[]): Promise<Outcome> => inkstone("tag", ...args);

/** Asks a server that runs meanwhile. */
async function get(url: string, key?: string): Promise<unknown> {
  await world.forget();
  return (await world.get(url, { key })).body;
}
const faults = async () => (await verify(world.db)).filter(({ result }) => result !== "ok");

describe("inkstone tag edit", () => {
  test("changes how a tag is shown", async () => {
    const args = [
      "edit",
      "JavaScript",
      "--bg-color",
      "#f7df1e",
      "--text-color",
      "#000000",
      "--summary",
      " In browsers ",
    ];
    expect(await tag(...args)).toEqual({ code: 0, out: "Changed the tag javascript.\n", err: "" });
    expect(JSON.parse((await tag(...args, "--json")).out)).toEqual({
      id: expect.any(Number),
      name: "javascript",
      changed: false,
    });
    const shown = (await get("/api/tags?per_page=100")) as { name: string }[];
    expect(shown.find(({ name }) => name === "javascript")).toMatchObject({
      bg_color_hex: "#f7df1e",
      text_color_hex: "#000000",
    });
    expect((await tag("edit", "javascript", "--bg-color", "")).out).toBe("Changed the tag javascript.\n");
    const row = await world.db
      .selectFrom("tags")
      .selectAll()
      .where("name", "=", "javascript")
      .executeTakeFirst();
    expect(row).toMatchObject({
      bg_color_hex: null,
      text_color_hex: "#000000",
      short_summary: "In browsers",
    });
  });

  test.each([
    [["nothing", "--summary", "x"], 'There is no tag "nothing".'],
    [["beds", "--summary", "x"], "beds is another name of garden: edit garden."],
    [["garden", "--bg-color", "red"], 'A colour must be like #f7df1e, not "red".'],
    [["a b", "--summary", "x"], 'Tag "a b" contains non-alphanumeric or prohibited unicode characters.'],
  ])("refuses %j", async (args, sentence) => {
    expect(await tag("edit", ...args)).toEqual({ code: 1, out: "", err: `inkstone: ${sentence}\n` });
  });
});

describe("inkstone tag merge", () => {
  test.each([
    [["garden", "nothing"], 'There is no tag "nothing".'],
    [["nothing", "garden"], 'There is no tag "nothing".'],
    [["garden", "Garden"], "garden can't be another name of itself."],
    [
      ["garden", "beds"],
      "beds is another name of garden already: to turn that round, run `inkstone tag alias beds --remove` first.",
    ],
  ])("refuses %j", async (args, sentence) => {
    expect(await tag("merge", ...args)).toEqual({ code: 1, out: "", err: `inkstone: ${sentence}\n` });
  });

  test("moves every article, and what follows the tag", async () => {
    const merged = await tag("merge", "garden", "gardening", "--json");
    expect(merged.err).toBe("");
    expect(JSON.parse(merged.out)).toEqual({ from: "garden", into: "gardening", articles: 32, listings: 1 });
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
    expect(await faults()).toEqual([]);
  });

  test("again moves nothing more", async () => {
    expect((await tag("merge", "garden", "gardening")).out).toBe(
      "Merged garden into gardening: 0 articles and 0 listings moved.\n",
    );
  });
});

describe("inkstone tag alias", () => {
  test("gives a tag another name, which may be new", async () => {
    expect((await tag("alias", "JS", "javascript")).out).toBe(
      "js is now another name of javascript. 0 articles and 0 listings moved.\n",
    );
    expect(JSON.parse((await tag("alias", "js", "javascript", "--json")).out)).toEqual({
      alias: "js",
      tag: "javascript",
      changed: false,
      articles: 0,
      listings: 0,
    });
    await world.article({ username: "lena" }, { slug: "js-1a", tags: ["JS"] });
    expect(await get("/api/articles?tag=js")).toMatchObject([{ tag_list: ["javascript"] }]);
  });

  test("of another name is one of the tag itself, and moves what has it", async () => {
    expect((await tag("alias", "plants", "beds")).out).toBe(
      "plants is now another name of gardening. 0 articles and 0 listings moved.\n",
    );
    expect((await tag("alias", "soil", "plants")).out).toBe(
      "soil is now another name of gardening. 1 article and 1 listing moved.\n",
    );
    expect(await get("/api/articles/both-1a")).toMatchObject({ tags: ["gardening"] });
    expect(await faults()).toEqual([]);
  });

  test("is taken back with --remove", async () => {
    expect((await tag("alias", "js", "--remove")).out).toBe("js is a tag of its own.\n");
    expect((await tag("alias", "js", "--remove")).out).toBe("js is no other name of any tag.\n");
    expect(await get("/api/articles?tag=js")).toEqual([]);
    expect((await tag("alias", "newname", "nothing")).err).toBe('inkstone: There is no tag "nothing".\n');
    const made = world.db.selectFrom("tags").select("id").where("name", "=", "newname");
    expect(await made.execute()).toEqual([]);
  });

  test.each([
    [["js"], "Name the tag that it stands for, or give --remove."],
    [["js", "javascript", "--remove"], "Give either the tag that it stands for or --remove, not both."],
  ])("is wrong usage as %j", async (args, sentence) => {
    expect(await tag("alias", ...args)).toEqual({
      code: 2,
      out: "",
      err: `inkstone: ${sentence} See \`inkstone tag alias --help\`.\n`,
    });
  });
});
