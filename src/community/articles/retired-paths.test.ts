import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

describe("a path that an article has left", () => {
  let adasKey: string;
  const ada = { username: "ada" };
  const bo = { username: "bo" };

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    adasKey = await world.key(await world.user(ada));
    await world.user(bo);
    await world.organization({ username: "guild" });
  });

  const retired = async (slug: string) => {
    const rows = await world.db
      .selectFrom("retired_paths")
      .innerJoin("articles", "articles.id", "retired_paths.article_id")
      .select("path")
      .where("slug", "=", slug)
      .orderBy("path")
      .execute();
    return rows.map(({ path }) => path);
  };

  test.each([
    "/api/articles/ada/moving",
    "/api/articles/ADA/Moving",
    "/api/articles/ada%2Fmoving",
    "/api/articles/by_path?url=/ada/moving",
    "/api/articles/bo/moving",
    "/api/articles/guild/moving",
  ])("%s answers with the article, which shows its new path", async (url) => {
    await world.article(ada, { slug: "moving" });
    await world.article(bo, { slug: "moving" });
    await world.article(bo, { slug: "moving", organization: "guild" });
    expect(await world.get(url)).toMatchObject({
      status: 200,
      body: { slug: "moving", path: "/guild/moving", url: "https://ink.example/guild/moving" },
    });
    expect(await retired("moving")).toEqual(["/ada/moving", "/bo/moving"]);
  });

  test("is none any more when the article comes back", async () => {
    await world.article(ada, { slug: "returning" });
    await world.article(ada, { slug: "returning", organization: "guild" });
    await world.article(ada, { slug: "returning" });
    expect(await retired("returning")).toEqual(["/guild/returning"]);
    expect(await world.get("/api/articles/guild/returning")).toMatchObject({
      body: { path: "/ada/returning" },
    });
  });

  test("goes with its article, and is not made by a change that moves nothing", async () => {
    await world.article(ada, { slug: "staying", title: "Before" });
    await world.article(ada, { slug: "staying", title: "After" });
    expect(await retired("staying")).toEqual([]);
    expect((await world.get("/api/articles/bo/staying")).status).toBe(404);
    await world.article(ada, { slug: "leaving" });
    await world.article(bo, { slug: "leaving" });
    await world.db.deleteFrom("articles").where("slug", "=", "leaving").execute();
    expect((await world.get("/api/articles/ada/leaving")).status).toBe(404);
  });

  test("belongs to the article that is found there now, before all others", async () => {
    const { id } = await world.article(ada, { slug: "elsewhere" });
    await world.db.insertInto("retired_paths").values({ path: "/ada/wanted", article_id: id }).execute();
    expect(await world.get("/api/articles/ada/wanted")).toMatchObject({ body: { slug: "elsewhere" } });
    await world.article(ada, { slug: "wanted" });
    expect(await world.get("/api/articles/ada/wanted")).toMatchObject({ body: { slug: "wanted" } });
    expect(await retired("elsewhere")).toEqual([]);
  });

  test("tells strangers nothing of an article that isn't published", async () => {
    await world.article(ada, { slug: "hidden", published: false });
    await world.article(ada, { slug: "hidden", published: false, organization: "guild" });
    expect(await retired("hidden")).toEqual(["/ada/hidden"]);
    expect((await world.get("/api/articles/ada/hidden")).status).toBe(404);
    expect(await world.get("/api/articles/ada/hidden", { key: adasKey })).toMatchObject({
      status: 200,
      body: { path: "/guild/hidden" },
    });
  });
});
