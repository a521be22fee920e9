import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

interface Node {
  id_code: string;
  children: Node[];
}

const NOW = new Date("2026-03-31T12:00:00Z");

describe("GET /api/comments", () => {
  let article: { id: number; slug: string };
  let other: { id: number; slug: string };
  let episode: { id: number };
  const ada = { username: "ada" };
  const get = async (path: string) => {
    const { status, body } = await world.get(`/api/comments${path}`);
    return { status, body: body as Node[] };
  };
  const codes = async (path: string) => (await get(path)).body.map(({ id_code }) => id_code);

  const world = worldForAll({ now: NOW });
  beforeAll(async () => {
    await world.user({ username: "ada", name: "Ada", website_url: "https://ada.example" });
    article = await world.article(ada, { slug: "looms-1a" });
    other = await world.article(ada, { slug: "other-1a" });
    await world.podcast({ slug: "loomcast" });
    episode = await world.episode("loomcast", { slug: "ep-1" });
    const say = (id_code: string, more: object = {}) =>
      world.comment(ada, { id_code, article: "looms-1a", created_at: "2026-03-01T08:00:00.900Z", ...more });
    await say("m35m", { body_markdown: "Nice weave" });
    await say("m35n", { parent: "m35m" });
    await say("m35o", { parent: "m35n", deleted: true, body_markdown: "Regretted" });
    await say("m36a", { parent: "m35o", body_markdown: "Still here" });
    await say("n0", { hidden: true, body_markdown: "Rude" });
    await say("n1", {});
    await world.comment(ada, { episode: "loomcast/ep-1", body_markdown: "Well said" });
  });

  test("gives the threads of an article as complete trees", async () => {
    const user = {
      name: "Ada",
      username: "ada",
      microblog_username: null,
      codehost_username: null,
      user_id: 1,
      website_url: "https://ada.example",
      profile_image: "https://ink.example/assets/identicons/user-1-640.png",
      profile_image_90: "https://ink.example/assets/identicons/user-1-90.png",
    };
    const shown = (id_code: string, body_html: unknown, children: unknown[] = []) => ({
      type_of: "comment",
      id_code,
      created_at: "2026-03-01T08:00:00Z",
      body_html,
      user,
      children,
    });
    const text = expect.stringMatching(/^<p>Comment \d+<\/p>\n$/);
    const deleted = {
      type_of: "comment",
      id_code: "m35o",
      created_at: "2026-03-01T08:00:00Z",
      deleted: true,
      children: [shown("m36a", "<p>Still here</p>\n")],
    };
    expect(await get(`?a_id=${article.id}`)).toEqual({
      status: 200,
      body: [
        { type_of: "comment", id_code: "n0", created_at: "2026-03-01T08:00:00Z", hidden: true, children: [] },
        shown("n1", text),
        shown("m35m", "<p>Nice weave</p>\n", [shown("m35n", text, [deleted])]),
      ],
    });
  });

  test("gives those of an episode", async () => {
    expect((await get(`?p_id=${episode.id}`)).body).toMatchObject([{ body_html: "<p>Well said</p>\n" }]);
  });

  test("is empty without comments", async () => {
    expect(await get(`?a_id=${other.id}`)).toEqual({ status: 200, body: [] });
    expect(await get(`?a_id=${other.id}&page=1`)).toEqual({ status: 200, body: [] });
  });

  test.each([
    ["", 404],
    ["?a_id=", 404],
    ["?a_id=999999", 404],
    ["?a_id=0", 404],
    ["?a_id=01", 404],
    ["?a_id=99999999999", 404],
    ["?a_id=gobbledygook", 404],
    ["?a_id=%00", 404],
    ["?p_id=999999", 404],
    ["?p_id=x", 404],
    ["?a_id=1&p_id=1", 422],
    ["?a_id=1&a_id=1", 422],
    ["?a_id=1&page=0", 422],
    ["?a_id=1&page=x", 422],
    ["?a_id=1&per_page=0", 422],
    ["?a_id=1&per_page=1001", 422],
    ["?a_id=1&page=1&per_page=-1", 422],
  ])("%s is %i", async (query, status) => {
    expect(await get(query)).toEqual({ status, body: { error: expect.any(String), status } });
  });

  test("answers 404 under what isn't published", async () => {
    const draft = await world.article(ada, { slug: "draft-1a", published: false });
    await world.comment(ada, { article: "draft-1a", id_code: "o1" });
    await world.podcast({ slug: "silent", published: false });
    const silent = await world.episode("silent");
    const broken = await world.episode("loomcast", { slug: "ep-2", reachable: false });
    await world.comment(ada, { episode: "loomcast/ep-2", id_code: "o2" });
    for (const query of [`?a_id=${draft.id}`, `?p_id=${silent.id}`, `?p_id=${broken.id}`, "/o1", "/o2"]) {
      expect((await get(query)).status).toBe(404);
    }
    const key = await world.key({ id: 1 });
    expect((await world.get(`/api/comments?a_id=${draft.id}`, { key })).status).toBe(404);
  });

  test("cuts pages of threads, and says where the others are", async () => {
    const url = `/api/comments?a_id=${article.id}`;
    expect(await codes(`?a_id=${article.id}&page=1&per_page=2`)).toEqual(["n0", "n1"]);
    expect(await codes(`?a_id=${article.id}&page=2&per_page=2`)).toEqual(["m35m"]);
    expect(await codes(`?a_id=${article.id}&page=3&per_page=2`)).toEqual([]);
    expect(await codes(`?a_id=${article.id}&page=2147483647&per_page=1000`)).toEqual([]);
    const [thread] = (await get(`?a_id=${article.id}&page=2&per_page=2`)).body;
    expect(thread?.children[0]?.children[0]?.children[0]?.id_code).toBe("m36a");
    const link = async (query: string) => (await world.get(url + query)).headers["link"];
    const to = (page: number) => `<https://ink.example${url}&per_page=2&page=${page}>`;
    expect(await link("&per_page=2&page=1")).toBe(`${to(1)}; rel="first", ${to(2)}; rel="next"`);
    expect(await link("&per_page=2&page=2")).toBe(`${to(1)}; rel="first", ${to(1)}; rel="prev"`);
    expect(await link("")).toBeUndefined();
  });

  test("gives all threads when only per_page is given", async () => {
    expect(await codes(`?a_id=${article.id}&per_page=1`)).toEqual(["n0", "n1", "m35m"]);
  });

  test("gives one comment with what is below it, in any case of its code", async () => {
    const { body } = await world.get("/api/comments/m35n");
    expect(body).toMatchObject({ id_code: "m35n", children: [{ deleted: true }] });
    expect((await world.get("/api/comments/M35N")).body).toEqual(body);
    const { body: deleted } = await world.get("/api/comments/m35o");
    expect(deleted).toEqual({
      type_of: "comment",
      id_code: "m35o",
      created_at: "2026-03-01T08:00:00Z",
      deleted: true,
      children: [expect.objectContaining({ id_code: "m36a" })],
    });
  });

  test.each(["m35p", "0m35m", "zz", "m35m%00", "1.5", "-1", "pppppppp", "m35m%20"])(
    "%s is no comment",
    async (code) => {
      expect((await get(`/${code}`)).status).toBe(404);
    },
  );

  test("is answered with 304 to those who know it, until something changes", async () => {
    const url = `/api/comments?a_id=${other.id}`;
    const { headers } = await world.get(url);
    const known = { "if-none-match": String(headers["etag"]) };
    expect(headers).toMatchObject({
      "cache-control": "public, no-cache",
      vary: "Accept, Accept-Encoding, api-key",
    });
    expect((await world.get(url, { headers: known })).status).toBe(304);
    await world.comment(ada, { article: "other-1a" });
    expect((await world.get(url, { headers: known })).status).toBe(200);
  });

  test("needs one statement, however many comments there are", async () => {
    const crowded = await world.article(ada, { slug: "crowded-1a" });
    const costOf = async (path: string) => {
      let body: unknown;
      const statements = await world.countStatements(async () => ({ body } = await get(path)));
      return { statements, comments: JSON.stringify(body).match(/"id_code"/g)?.length ?? 0 };
    };
    expect(await costOf(`?a_id=${crowded.id}`)).toEqual({ statements: 1, comments: 0 });
    await world.comments(
      Array.from({ length: 300 }, (_, n) => ({
        author: "ada",
        article: "crowded-1a",
        body_markdown: `Answer ${n}`,
        ref: `c${n}`,
        ...(n > 0 && { parent: `c${Math.floor((n - 1) / 3)}` }),
      })),
    );
    for (const path of [`?a_id=${crowded.id}`, `?a_id=${crowded.id}&page=1`]) {
      expect(await costOf(path)).toEqual({ statements: 1, comments: 300 });
    }
    expect(await costOf(`?p_id=${episode.id}`)).toEqual({ statements: 1, comments: 1 });
    expect(await costOf("/m35n")).toEqual({ statements: 1, comments: 3 });
  });
});
