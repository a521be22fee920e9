import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

describe("GET /api/tags", () => {
  const names = async (query = "") =>
    ((await world.get(`/api/tags?${query}`)).body as { name: string }[]).map(({ name }) => name);

  const world = worldForAll();
  beforeAll(async () => {
    await world.tag({ name: "wool", bg_color_hex: "#112233", text_color_hex: "#ffffff" });
    await world.tag({ name: "yarn", alias_for: "wool" });
    await world.tag({ name: "unused" });
    const ada = await world.user({ username: "ada" });
    await world.article(ada, { tags: ["felt", "yarn"] });
    await world.article(ada, { tags: ["felt"] });
    await world.article(ada, { tags: ["unused"], published: false });
  });

  test("lists tags by how many published articles carry them, without aliases", async () => {
    expect(await names()).toEqual(["felt", "wool", "unused"]);
  });

  test("shows number, name and colours", async () => {
    const { body } = await world.get("/api/tags?per_page=1&page=2");
    expect(body).toEqual([
      { id: expect.any(Number), name: "wool", bg_color_hex: "#112233", text_color_hex: "#ffffff" },
    ]);
  });

  test("counts pages from 1 and is empty past the end", async () => {
    expect(await names("per_page=1&page=1")).toEqual(["felt"]);
    expect(await names("page=2147483647&per_page=1000")).toEqual([]);
    const { headers } = await world.get("/api/tags?per_page=1&page=2");
    expect(headers["link"]).toMatch(/page=1>; rel="first".*page=1>; rel="prev".*page=3>; rel="next"/);
  });

  test("many who publish the same new tags at once get the same ones", async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, async () => world.key(await world.user())));
    const publish = (key: string, index: number) => {
      const article = { title: "New", body_markdown: "New.", published: true };
      const tags = index % 2 === 0 ? ["brand", "new"] : ["new", "brand"];
      return world.request({
        method: "POST",
        url: "/api/articles",
        key,
        body: { article: { ...article, tags } },
      });
    };
    const answers = await Promise.all(keys.map(publish));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    const rows = await world.db.selectFrom("tags").select(["name", "articles_count"]).execute();
    expect(rows.filter(({ articles_count }) => articles_count === 20).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["brand", "new"]),
    );
  });
});
