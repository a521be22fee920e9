import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../../test/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe("GET /api/follows", () => {
  let reader: { id: number; username: string };
  let keyOfReader: string;
  const get = (query = "") => world.get(`/api/follows?${query}`, { key: keyOfReader });
  const names = async (query: string) =>
    ((await get(query)).body as { name: string }[]).map(({ name }) => name);
  beforeAll(async () => {
    reader = await world.user();
    keyOfReader = await world.key(reader, { readOnly: true });
    await world.organization({ username: "tinkerlab", name: "Tinker Lab" });
    await world.user({ username: "vera", name: "Vera" });
    await world.tag({ name: "yarn" });
  });

  test("is empty for who follows nothing", async () => {
    expect(await get()).toMatchObject({
      status: 200,
      body: [],
      headers: { "cache-control": "private, no-store" },
    });
  });

  test("lists people, organizations and tags, newest first, all or of one kind, in pages", async () => {
    const user = reader.username;
    await world.follow({ user, followed_user: "vera", created_at: "2026-02-01T10:00:00Z" });
    await world.follow({ user, organization: "tinkerlab", created_at: "2026-02-03T10:00:00Z" });
    await world.follow({ user, tag: "yarn", created_at: "2026-02-02T10:00:00Z" });
    await world.follow({ user: "vera", tag: "yarn" });
    const ids = { id: expect.any(Number), followed_id: expect.any(Number) };
    const picture = (kind: string) =>
      expect.stringMatching(new RegExp(`^https://ink.example/assets/identicons/${kind}-\\d+-60.png$`));
    expect((await get()).body).toEqual([
      {
        ...ids,
        type_of: "organization_follow",
        created_at: "2026-02-03T10:00:00Z",
        name: "Tinker Lab",
        path: "/tinkerlab",
        username: "tinkerlab",
        profile_image: picture("organization"),
      },
      { ...ids, type_of: "tag_follow", created_at: "2026-02-02T10:00:00Z", name: "yarn", path: "/t/yarn" },
      {
        ...ids,
        type_of: "user_follow",
        created_at: "2026-02-01T10:00:00Z",
        name: "Vera",
        path: "/vera",
        username: "vera",
        profile_image: picture("user"),
      },
    ]);
    expect(await names("kind=users")).toEqual(["Vera"]);
    expect(await names("kind=organizations")).toEqual(["Tinker Lab"]);
    expect(await names("kind=tags")).toEqual(["yarn"]);
    expect(await names("per_page=2&page=2")).toEqual(["Vera"]);
    expect(await names("kind=tags&page=2")).toEqual([]);
    expect((await get("kind=tags&per_page=1")).headers["link"]).not.toContain("next");
    for (const query of ["kind=people", "per_page=1001", "page=0"]) {
      expect([query, (await get(query)).status]).toEqual([query, 422]);
    }
  });
});

describe("PUT and DELETE /api/follows/{kind}/{name}", () => {
  let reader: { id: number; username: string };
  let keyOfReader: string;
  let ids: Record<string, number>;
  const idOf = async (
    table: "users" | "organizations" | "tags",
    column: "username" | "name",
    value: string,
  ) =>
    (
      await world.db
        .selectFrom(table)
        .select("id")
        .where(sql.ref(column), "=", value)
        .executeTakeFirstOrThrow()
    ).id;
  beforeAll(async () => {
    reader = await world.user({ username: "reader" });
    keyOfReader = await world.key(reader);
    await world.user({ username: "nils" });
    await world.organization({ username: "weavers" });
    for (const name of ["loom", "2024"]) await world.tag({ name });
    await world.tag({ name: "looms", alias_for: "loom" });
    ids = {
      nils: await idOf("users", "username", "nils"),
      weavers: await idOf("organizations", "username", "weavers"),
      loom: await idOf("tags", "name", "loom"),
    };
  });

  const send = async (method: "PUT" | "DELETE", target: string, by: string | undefined = keyOfReader) =>
    world.request({ method, url: `/api/follows/${target}`, key: by });
  const followed = async () =>
    ((await world.get("/api/follows", { key: keyOfReader })).body as { name: string }[]).map(
      ({ name }) => name,
    );
  const recorded = async () => {
    const events = await world.db.selectFrom("events").select(["type", "payload"]).orderBy("id").execute();
    return events
      .filter(({ payload }) => (payload as { follower_id?: number }).follower_id === reader.id)
      .map(({ type }) => type);
  };

  test.each([
    ["a username in any case", () => "users/Nils", "nils"],
    ["the id of a person", () => `users/${ids["nils"]}`, "nils"],
    ["a username of an organization", () => "organizations/WEAVERS", "weavers"],
    ["the id of an organization", () => `organizations/${ids["weavers"]}`, "weavers"],
    ["the name of a tag in any case", () => "tags/Loom", "loom"],
    ["the id of a tag", () => `tags/${ids["loom"]}`, "loom"],
    ["another name of a tag", () => "tags/looms", "loom"],
    ["digits that are a tag's name", () => "tags/2024", "2024"],
  ])("take %s; they follow and unfollow once", async (_, targetOf, name) => {
    const before = (await recorded()).length;
    for (const method of ["PUT", "PUT"] as const) {
      expect(await send(method, targetOf())).toMatchObject({ status: 204, text: "" });
      expect(await followed()).toEqual([name]);
    }
    for (const method of ["DELETE", "DELETE"] as const) {
      expect(await send(method, targetOf())).toMatchObject({ status: 204, text: "" });
      expect(await followed()).toEqual([]);
    }
    expect((await recorded()).slice(before)).toEqual(["follow_created", "follow_destroyed"]);
  });

  test.each([
    "users/nobody_here",
    "users/999999",
    "users/weavers",
    "organizations/nils",
    "organizations/0",
    "tags/no-such-tag",
    "tags/99999999999",
    "tags/%00",
    "people/nils",
  ])("say 404 to %s, and change nothing", async (target) => {
    const before = await recorded();
    for (const method of ["PUT", "DELETE"] as const) {
      expect(await send(method, target)).toMatchObject({ status: 404, body: { error: "not found" } });
    }
    expect([await followed(), await recorded()]).toEqual([[], before]);
  });

  test("refuse oneself with a sentence, and a key that may not write", async () => {
    const before = await recorded();
    expect(await send("PUT", "users/reader")).toMatchObject({
      status: 422,
      body: { error: "You can't follow yourself", status: 422 },
    });
    for (const by of ["", "ink_wrong", await world.key(reader, { readOnly: true })]) {
      for (const method of ["PUT", "DELETE"] as const) {
        expect((await send(method, "users/nils", by)).status).toBe(401);
      }
    }
    expect([await followed(), await recorded()]).toEqual([[], before]);
  });
});
