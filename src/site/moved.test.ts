import { beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const lena = { username: "lena" };
const HTML = { headers: { accept: "text/html" } };

describe("what has moved", () => {
  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user(lena);
    // Once known as ada.
    const ada = { username: "ada_l" };
    await world.user(ada);
    await world.organization({ username: "guild" });
    await world.article(ada, { slug: "moving-1a" });
    await world.article(ada, { slug: "moving-1a", organization: "guild" });
    await world.article(ada, { slug: "staying-2b", series: "Ants & Bees" });
    for (const slug of ["moving-1a", "staying-2b"]) {
      const values = { path: `/ada/${slug}`, article_id: await idOf(world, slug) };
      await world.db.insertInto("retired_paths").values(values).execute();
    }
    // Of another site, and another program.
    for (const path of ["/2019/05/ants", "/blog/ants.html", "/ants", "/%c3%a4rger/und/bienen"]) {
      const values = { path, article_id: await idOf(world, "staying-2b") };
      await world.db.insertInto("retired_paths").values(values).execute();
    }
    await world.comment(lena, { article: "staying-2b", id_code: "m35m" });
    await world.tag({ name: "wool" });
    await world.tag({ name: "yarn", alias_for: "wool" });
    await world.podcast({ slug: "loomcast" });
    await world.episode("loomcast", { slug: "one" });
    await world.listing(lena, { slug: "looms-3c", category: "misc" });
  });

  test.each([
    ["/ada/moving-1a", "/guild/moving-1a"],
    ["/ada_l/moving-1a", "/guild/moving-1a"],
    ["/ada/moving-1a?utm_source=x", "/guild/moving-1a"],
    ["/ada/moving-1a/comments?page=2", "/guild/moving-1a/comments?page=2"],
    ["/Guild/Moving-1a", "/guild/moving-1a"],
    ["/ada", "/ada_l"],
    ["/ADA?tab=series", "/ada_l?tab=series"],
    ["/ADA_L", "/ada_l"],
    ["/ada/series/Ants%20%26%20Bees", "/ada_l/series/Ants%20%26%20Bees"],
    ["/Ada_L/series/Ants%20%26%20Bees", "/ada_l/series/Ants%20%26%20Bees"],
    ["/GUILD", "/guild"],
    ["/t/yarn", "/t/wool"],
    ["/t/Wool?top=week", "/t/wool?top=week"],
    ["/Loomcast", "/loomcast"],
    ["/loomcast/ONE", "/loomcast/one"],
    ["/listings/Misc", "/listings/misc"],
    ["/listings/Misc/Looms-3C", "/listings/misc/looms-3c"],
    ["/listings/cfp/looms-3c", "/listings/misc/looms-3c"],
    ["/comments/M35M", "/comments/m35m"],
    ["/2019/05/ants/", "/ada_l/staying-2b"],
    ["/2019/05/Ants?utm_source=x", "/ada_l/staying-2b?utm_source=x"],
    ["/blog/ants.html", "/ada_l/staying-2b"],
    ["/ants", "/ada_l/staying-2b"],
    ["/%C3%A4rger/und/bienen", "/ada_l/staying-2b"],
    ["/tags/", "/tags"],
    ["/lena/?tab=comments&x=%2F", "/lena?tab=comments&x=%2F"],
    ["/guild/moving-1a/", "/guild/moving-1a"],
    ["/listings/misc/looms-3c/", "/listings/misc/looms-3c"],
    ["/api/docs/", "/api/docs"],
    ["/api/docs/articles/", "/api/docs/articles"],
    ["/api/docs/articles/getArticles/", "/api/docs/articles/getArticles"],
  ])("%s answers 301 to %s", async (from, to) => {
    const { status, headers, text } = await world.get(from, HTML);
    expect({ status, location: headers["location"], text }).toEqual({ status: 301, location: to, text: "" });
    expect(await world.get(to, HTML)).toMatchObject({ status: 200 });
  });

  test("an old address is missing while its article isn't public", async () => {
    const { db } = world;
    const change = (state: string) =>
      db.updateTable("articles").set({ state }).where("slug", "=", "staying-2b").execute();
    await change("unpublished");
    await world.forget();
    for (const path of ["/2019/05/ants", "/blog/ants.html"]) {
      expect(await world.get(path, HTML)).toMatchObject({ status: 404 });
    }
    await change("published");
    const posted = await world.request({ method: "POST", url: "/2019/05/ants" });
    expect(posted.status).toBe(404);
  });

  test("what a client knows of one move says nothing of another", async () => {
    const { headers } = await world.get("/GUILD", HTML);
    const known = { ...HTML.headers, "if-none-match": headers["etag"] ?? "*" };
    for (const ask of [known, { ...known, "if-none-match": "*" }]) {
      const { status, headers } = await world.get("/t/yarn", { headers: ask });
      expect({ status, location: headers["location"] }).toEqual({ status: 301, location: "/t/wool" });
    }
  });

  test("a slash at the end of an address is no reason to leave the site, nor to write", async () => {
    for (const url of ["//lena/", "///", "//", "/tags//", "/api/tags/", "/static/", "/feed/"]) {
      const { status, headers } = await world.get(url, HTML);
      expect({ url, status, location: headers["location"] }).toEqual({
        url,
        status: 404,
        location: undefined,
      });
    }
    const posted = await world.request({ method: "POST", url: "/tags/" });
    expect(posted.status).toBe(404);
    const head = await world.app.inject({ method: "HEAD", url: "/tags/" });
    expect(head).toMatchObject({ statusCode: 301, headers: { location: "/tags" } });
  });
});

async function idOf(world: World, slug: string): Promise<number> {
  const found = world.db.selectFrom("articles").select("id").where("slug", "=", slug);
  return (await found.executeTakeFirstOrThrow()).id;
}
