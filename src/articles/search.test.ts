import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

describe("GET /api/articles/search", () => {
  let world: World;
  let lena: { id: number; username: string };
  const titles = async (query: string) => {
    const { status, body } = await world.get(`/api/articles/search?${query}`);
    expect(status).toBe(200);
    return (body as { title: string }[]).map(({ title }) => title);
  };

  beforeAll(async () => {
    world = await startWorld({ now: NOW });
    lena = await world.user({ username: "lena", name: "Lena Ortiz" });
    await world.organization({
      username: "tinkerlab",
      name: "Tinker Lab",
      members: [{ username: "lena", role: "member" }],
    });
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
    await article("Привет, мир", { body_markdown: "Добро пожаловать." });
    await article("東京の庭園を歩く", { body_markdown: "静かな朝。" });
    await article("Sharp knives", {
      body_markdown: "A whetstone is all you need.",
      organization: "tinkerlab",
    });
  });
  afterAll(() => world.stop());

  test("finds published articles by their words, title before body, never drafts or what is to come", async () => {
    expect(await titles("q=tomatoes")).toEqual(["Growing tomatoes", "Notes from a garden"]);
  });

  test("asks for every word, in any order", async () => {
    expect(await titles("q=well+tomatoes")).toEqual(["Notes from a garden"]);
    expect(await titles("q=tomatoes+submarine")).toEqual([]);
  });

  test("takes the last word for the beginning of one", async () => {
    expect(await titles("q=growing+toma")).toEqual(["Growing tomatoes"]);
    expect(await titles("q=gro+tomatoes")).toEqual([]);
  });

  test.each([
    ["q=creme+brulee", "Crème brûlée"],
    ["q=CR%C3%88ME", "Crème brûlée"],
    ["q=%D0%9F%D0%A0%D0%98%D0%92%D0%95%D0%A2", "Привет, мир"],
    ["q=%E5%BA%AD%E5%9C%92", "東京の庭園を歩く"],
  ])("ignores case and accents and reads scripts without spaces: %s", async (query, title) => {
    expect(await titles(query)).toEqual([title]);
  });

  test("reads quoted words as a phrase and leaves out what a minus stands before", async () => {
    expect(await titles("q=%22tomatoes+did+well%22")).toEqual(["Notes from a garden"]);
    expect(await titles("q=%22well+did+tomatoes%22")).toEqual([]);
    expect(await titles("q=tomatoes+-water")).toEqual(["Notes from a garden"]);
  });

  test("finds articles by their author, organization and tags", async () => {
    expect(await titles("q=ortiz+whetstone")).toEqual(["Sharp knives"]);
    expect(await titles("q=tinker+lab")).toEqual(["Sharp knives"]);
    expect(await titles("q=cooking")).toEqual(["Crème brûlée"]);
  });

  test("top keeps the last days and puts the best loved first, alone, with words and with a tag", async () => {
    expect(await titles("q=tomatoes&top=30")).toEqual(["Notes from a garden", "Growing tomatoes"]);
    expect((await titles("top=30"))[0]).toBe("Notes from a garden");
    expect(await titles("q=sugar&top=30")).toEqual([]);
    expect(await titles("top=30&tag=garden")).toEqual(["Growing tomatoes"]);
  });

  test("tag narrows, whatever its case, and an unknown one finds nothing", async () => {
    expect(await titles("q=tomatoes&tag=GARDEN")).toEqual(["Growing tomatoes"]);
    expect(await titles("tag=nosuchtag")).toEqual([]);
    expect(await titles("tag=%00%ff'")).toEqual([]);
  });

  test("follows aliases of tags", async () => {
    await world.tag({ name: "gardening", alias_for: "garden" });
    expect(await titles("tag=gardening")).toEqual(["Growing tomatoes"]);
  });

  test("counts pages from 0 and is empty past the end", async () => {
    const all = await titles("per_page=100");
    expect(await titles("per_page=2&page=0")).toEqual(all.slice(0, 2));
    expect(await titles("per_page=2&page=1")).toEqual(all.slice(2, 4));
    expect(await titles("page=2147483647&per_page=100")).toEqual([]);
  });

  test("the next links lead through all matches, each once", async () => {
    const all = await titles("per_page=100");
    const seen: string[] = [];
    let url: string | undefined = "/api/articles/search?per_page=2";
    while (url !== undefined) {
      const { body, headers } = await world.get(url);
      seen.push(...(body as { title: string }[]).map(({ title }) => title));
      url = /<https:\/\/ink\.example([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    expect(seen).toEqual(all);
  });

  test("the next links of a search by words lead through all matches, each once", async () => {
    const { body, headers } = await world.get("/api/articles/search?q=tomatoes&per_page=1");
    const next = /<https:\/\/ink\.example([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1] as string;
    const second = await world.get(next);
    expect([...(body as []), ...(second.body as [])]).toMatchObject([
      { title: "Growing tomatoes" },
      { title: "Notes from a garden" },
    ]);
    expect(String(second.headers["link"])).not.toContain("next");
  });

  test("holds the body when it holds exactly one article", async () => {
    const one = await world.get("/api/articles/search?q=brulee");
    expect(one.body).toMatchObject([{ body_markdown: "Burn the sugar." }]);
    const two = await world.get("/api/articles/search?q=tomatoes");
    expect((two.body as object[]).every((item) => !("body_markdown" in item))).toBe(true);
    const cut = await world.get("/api/articles/search?q=tomatoes&per_page=1");
    expect(cut.body).toMatchObject([{ body_markdown: "Water them." }]);
  });

  test("says that it matched as typed, for a search by words only", async () => {
    expect((await world.get("/api/articles/search?q=tomatoes")).headers["x-search-match"]).toBe("exact");
    expect((await world.get("/api/articles/search?q=zzzz")).headers["x-search-match"]).toBe("exact");
    expect((await world.get("/api/articles/search")).headers["x-search-match"]).toBeUndefined();
  });

  test("answers the vendor's media type to everybody but the compatibility profile", async () => {
    const typeFor = async (accept: string) =>
      (await world.get("/api/articles/search", { headers: { accept } })).headers["content-type"];
    expect(await typeFor("application/json")).toBe("application/vnd.service.api-v1+json; charset=utf-8");
    expect(await typeFor("application/vnd.forem.api-v1+json")).toBe("application/json; charset=utf-8");
  });

  test("a client written for Forem gets the same first page for 0 and 1, and the names it knows", async () => {
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
    [`q=${"x".repeat(201)}`, "q is too long (maximum is 200 characters)"],
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

  test.each([
    "'",
    '"',
    "\\",
    "%",
    "& | !",
    "a:*",
    "-",
    '""',
    '"-"',
    "<->",
    "%00",
    "%ff%fe",
    "%ed%a0%80",
    "💥",
    "(",
    "a&",
  ])("takes any text for a search: %s", async (text) => {
    const { status } = await world.get(
      `/api/articles/search?q=${text.startsWith("%") ? text : encodeURIComponent(text)}`,
    );
    expect([200, 422]).toContain(status);
    expect(world.bugs).toEqual([]);
  });
});
