import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

describe("GET /api/articles/search", () => {
  let lena: { id: number; username: string };
  const titles = async (query: string) => {
    const { status, body } = await world.get(`/api/articles/search?${query}`);
    expect(status).toBe(200);
    return (body as { title: string }[]).map(({ title }) => title);
  };

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    lena = await world.user({ username: "lena", name: "Lena Ortiz" });
    const article = (title: string, fields: object = {}) =>
      world.article(lena, { title, published_at: daysAgo(10), created_at: daysAgo(10), ...fields });
    await article("Growing tomatoes", {
      body_markdown: "Water them.",
      tags: ["garden"],
      imported_reactions_count: 5,
    });
    await article("Notes from a garden", {
      body_markdown: "This year the tomatoes did well.",
      imported_reactions_count: 90,
    });
    await article("Tomatoes in secret", { published: false });
    await article("Tomatoes to come", { published_at: daysAgo(-3) });
    await article("Crème brûlée", {
      body_markdown: "Burn the sugar.",
      tags: ["cooking"],
      published_at: daysAgo(400),
    });
    for (const title of ["Sharp knives", "A quiet harbour"]) await article(title);
  });

  test("finds published articles by their words, title before body, never drafts or what is to come", async () => {
    expect(await titles("q=tomatoes")).toEqual(["Growing tomatoes", "Notes from a garden"]);
  });

  test("top keeps the last days and puts the best loved first, alone, with words and with a tag", async () => {
    expect(await titles("q=tomatoes&top=30")).toEqual(["Notes from a garden", "Growing tomatoes"]);
    expect((await titles("top=30"))[0]).toBe("Notes from a garden");
    expect(await titles("q=sugar&top=30")).toEqual([]);
    expect(await titles("top=30&tag=garden")).toEqual(["Growing tomatoes"]);
  });

  test("tag narrows, whatever its case and by its other names, and an unknown one finds nothing", async () => {
    expect(await titles("q=tomatoes&tag=GARDEN")).toEqual(["Growing tomatoes"]);
    expect(await titles("tag=nosuchtag")).toEqual([]);
    expect(await titles("tag=%00%ff'")).toEqual([]);
    await world.tag({ name: "gardening", alias_for: "garden" });
    expect(await titles("tag=gardening")).toEqual(["Growing tomatoes"]);
  });

  test("counts pages from 0 and is empty past the end", async () => {
    const all = await titles("per_page=100");
    expect(await titles("per_page=2&page=0")).toEqual(all.slice(0, 2));
    expect(await titles("per_page=2&page=1")).toEqual(all.slice(2, 4));
    expect(await titles("page=2147483647&per_page=100")).toEqual([]);
  });

  test("holds the body when it holds exactly one article", async () => {
    const one = await world.get("/api/articles/search?q=brulee");
    expect(one.body).toMatchObject([{ body_markdown: "Burn the sugar." }]);
    const two = await world.get("/api/articles/search?q=tomatoes");
    expect((two.body as object[]).every((item) => !("body_markdown" in item))).toBe(true);
    const cut = await world.get("/api/articles/search?q=tomatoes&per_page=1");
    expect(cut.body).toMatchObject([{ body_markdown: "Water them." }]);
  });

  test("clients written for Forem get their media type, the same first page for 0 and 1, and the names they know", async () => {
    const typeFor = async (accept: string) =>
      (await world.get("/api/articles/search", { headers: { accept } })).headers["content-type"];
    expect(await typeFor("application/json")).toBe("application/vnd.service.api-v1+json; charset=utf-8");
    expect(await typeFor("application/vnd.forem.api-v1+json")).toBe("application/json; charset=utf-8");
    const headers = { accept: "application/vnd.forem.api-v1+json" };
    const zero = await world.get("/api/articles/search?page=0&per_page=2", { headers });
    const one = await world.get("/api/articles/search?page=1&per_page=2", { headers });
    const two = await world.get("/api/articles/search?page=2&per_page=2", { headers });
    expect(zero.body).toEqual(one.body);
    expect(two.body).not.toEqual(one.body);
    expect((one.body as { user: object }[])[0]?.user).toHaveProperty("twitter_username", null);
  });

  test.each([
    ["top=0", "top must be a whole number from 1 to 36500"],
    ["per_page=101", "per_page must be a whole number from 1 to 100"],
    [`q=${"x".repeat(1_001)}`, "q is too long (maximum is 1000 characters)"],
    ["cursor=nonsense", "cursor is not one that this list gave: start again without it"],
    [
      "cursor=WyJob3RuZXNzIiwieCIsInkiLCJ6Il0",
      "cursor is not one that this list gave: start again without it",
    ],
  ])("refuses %s and says why", async (query, sentence) => {
    const { status, body } = await world.get(`/api/articles/search?${query}`);
    expect(status).toBe(422);
    expect((body as { error: string }).error).toContain(sentence);
  });
});
