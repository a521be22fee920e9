import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

describe("GET /api/organizations/{username}/articles", () => {
  let lab: { id: number };
  const world = worldForAll();
  beforeAll(async () => {
    const ada = await world.user({ username: "ada" });
    const bob = await world.user({ username: "bob" });
    lab = await world.organization({ username: "tinkerlab", name: "Tinker Lab" });
    await world.organization({ username: "empty" });
    const write = (author: { username: string }, slug: string, day: number, more: object = {}) =>
      world.article(author, {
        slug,
        tags: ["wool", "felt"],
        organization: "tinkerlab",
        published_at: `2026-01-0${day}T03:04:05Z`,
        ...more,
      });
    await write(ada, "second-1a", 2);
    await write(bob, "third-1a", 3);
    await write(ada, "first-1a", 1);
    await write(ada, "draft-1a", 4, { published: false });
    await write(ada, "later-1a", 5, { published_at: "2099-01-01T00:00:00Z" });
    await write(ada, "own-1a", 6, { organization: undefined });
  });

  const slugs = async (query = "", name = "tinkerlab") =>
    ((await world.get(`/api/organizations/${name}/articles?${query}`)).body as { slug: string }[]).map(
      ({ slug }) => slug,
    );

  test("lists what it has published, the newest first, and nothing else", async () => {
    expect(await slugs()).toEqual(["third-1a", "second-1a", "first-1a"]);
    expect(await slugs("", "TinkerLab")).toHaveLength(3);
    expect(await slugs("", String(lab.id))).toHaveLength(3);
    expect(await slugs("", "empty")).toEqual([]);
  });

  test("shows articles as lists do", async () => {
    const { body } = await world.get("/api/organizations/tinkerlab/articles?per_page=1");
    const { body: listed } = await world.get("/api/articles?username=tinkerlab&per_page=1");
    expect(body).toEqual(listed);
    expect(body).toMatchObject([
      {
        path: "/tinkerlab/third-1a",
        tag_list: ["wool", "felt"],
        tags: "wool, felt",
        user: { username: "bob" },
        organization: { username: "tinkerlab" },
      },
    ]);
  });

  test("is read to its end by its pages and by its links", async () => {
    expect(await slugs("per_page=1&page=2")).toEqual(["second-1a"]);
    expect(await slugs("per_page=1&page=4")).toEqual([]);
    expect(await slugs("page=2147483647&per_page=1000")).toEqual([]);
    const found: string[] = [];
    let url: string | undefined = "/api/organizations/tinkerlab/articles?per_page=2";
    while (url !== undefined) {
      const { body, headers } = await world.get(url);
      found.push(...(body as { slug: string }[]).map(({ slug }) => slug));
      url = /<https:\/\/ink\.example([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    expect(found).toEqual(["third-1a", "second-1a", "first-1a"]);
    expect((await world.get("/api/organizations/tinkerlab/articles?cursor=x")).status).toBe(422);
    expect((await world.get("/api/organizations/tinkerlab/articles?per_page=1001")).status).toBe(422);
  });
});
