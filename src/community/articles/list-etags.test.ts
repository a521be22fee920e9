import { beforeAll, describe, expect, test } from "vitest";
import { type World, worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-12-31T12:00:00Z");
const FOREM = { accept: "application/vnd.forem.api-v1+json" };

describe("the version of a list", () => {
  let author: Awaited<ReturnType<World["user"]>>;
  let key: string;
  const etagOf = async (url = "/api/articles", headers = {}) => {
    const answer = await world.get(url, { headers });
    expect(answer.status).toBe(200);
    return String(answer.headers["etag"]);
  };

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    author = await world.user({ username: "ada", microblog_username: "ada" });
    key = await world.key(author);
    await world.article(author, { title: "Wool", tags: ["craft"], published_at: "2026-12-01T00:00:00Z" });
    await world.article(author, { title: "Looms", tags: ["craft"], published_at: "2026-12-02T00:00:00Z" });
  });

  const put = (id: number, article: object) =>
    world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article } });

  test("is the same for the same articles, by whatever address, and depends on their order, number and reader", async () => {
    expect(await etagOf("/api/articles?tag=craft")).toBe(await etagOf("/api/articles?per_page=50"));
    expect(await etagOf("/api/articles?page=7")).toBe(await etagOf("/api/articles?tag=none"));
    const etags = ["?sort=asc", "?sort=desc", "?per_page=1", "?page=7"].map((query) =>
      etagOf(`/api/articles${query}`),
    );
    expect(new Set(await Promise.all(etags)).size).toBe(4);
    expect(await etagOf("/api/articles", FOREM)).not.toBe(await etagOf());
  });

  test("changes with an article, with its author and with the year", async () => {
    const etags = [await etagOf()];
    const { body } = await world.get("/api/articles/latest?per_page=1");
    const [{ id }] = body as [{ id: number }];
    await put(id, { title: "Weaving" });
    etags.push(await etagOf());
    await world.db.updateTable("users").set({ name: "Ada L." }).where("id", "=", author.id).execute();
    // Other processes see that within a second.
    await expect.poll(() => etagOf()).not.toBe(etags[1]);
    etags.push(await etagOf());
    world.setNow(new Date("2027-01-01T12:00:00Z"));
    await expect.poll(() => etagOf()).not.toBe(etags[2]);
    etags.push(await etagOf());
    expect(new Set(etags).size).toBe(4);
  });

  test("changes with the body that a search for one article shows", async () => {
    const found = async () => etagOf("/api/articles/search?q=Wool");
    const { body } = await world.get("/api/articles/search?q=Wool");
    const [{ id, body_markdown }] = body as [{ id: number; body_markdown: string }];
    const before = await found();
    await put(id, { body_markdown: `${body_markdown} Wool.` });
    expect(await found()).not.toBe(before);
  });

  test("is compact JSON, and 304 to a client that has it", async () => {
    const first = await world.get("/api/articles");
    const again = await world.get("/api/articles", {
      headers: { "if-none-match": String(first.headers["etag"]) },
    });
    expect(again).toMatchObject({ status: 304, text: "" });
    expect(JSON.stringify(first.body)).toBe(first.text);
  });
});
