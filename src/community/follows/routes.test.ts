import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

let lena: { id: number; username: string };
let key: string;
const world = worldForAll();
beforeAll(async () => {
  lena = await world.user({ username: "lena" });
  key = await world.key(lena, { readOnly: true });
});

describe("GET /api/followers/users", () => {
  let marco: { id: number };
  beforeAll(async () => {
    marco = await world.user({ username: "marco", name: "Marco", email: "marco@example.org" });
    for (const username of ["ada", "bob", "sue"]) await world.user({ username });
    const follow = (user: string, created_at: string) =>
      world.follow({ user, followed_user: "lena", created_at });
    await follow("bob", "2026-02-02T10:00:00Z");
    await follow("marco", "2026-02-01T10:00:00.750Z");
    await follow("sue", "2026-02-03T10:00:00Z");
    await follow("ada", "2026-02-02T10:00:00Z");
    await world.user({ username: "sue", suspended: true });
    await world.follow({ user: "lena", followed_user: "ada" });
  });

  const names = async (query = "") =>
    ((await world.get(`/api/followers/users?${query}`, { key })).body as { username: string }[]).map(
      ({ username }) => username,
    );

  test("shows the caller's followers, and no cache may keep them", async () => {
    const { status, body, headers } = await world.get("/api/followers/users?sort=created_at&per_page=1", {
      key,
    });
    const { id } = await world.db
      .selectFrom("follows")
      .select("id")
      .where("follower_id", "=", marco.id)
      .executeTakeFirstOrThrow();
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        {
          type_of: "user_follower",
          id,
          created_at: "2026-02-01T10:00:00Z",
          user_id: marco.id,
          name: "Marco",
          path: "/marco",
          username: "marco",
          profile_image: `https://ink.example/assets/identicons/user-${marco.id}-60.png`,
        },
      ],
    });
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("lists who began last first, without those who are suspended", async () => {
    expect(await names()).toEqual(["ada", "bob", "marco"]);
    expect(await names("sort=-created_at")).toEqual(["ada", "bob", "marco"]);
    expect(await names("sort=created_at")).toEqual(["marco", "bob", "ada"]);
    for (const sort of ["name", "created_at,id", "%00", "%ED%A0%80"]) {
      expect(await names(`sort=${sort}`)).toEqual(["ada", "bob", "marco"]);
    }
  });

  test("counts pages from 1, and is empty past the end", async () => {
    expect(await names("page=2&per_page=1")).toEqual(["bob"]);
    expect(await names("page=2&per_page=2&sort=created_at")).toEqual(["ada"]);
    expect(await names("page=4&per_page=1")).toEqual([]);
    expect(await names("page=2147483647&per_page=1000")).toEqual([]);
    const { headers } = await world.get("/api/followers/users?page=2&per_page=1&sort=created_at", { key });
    const link = (page: number, rel: string) =>
      `<https://ink.example/api/followers/users?per_page=1&sort=created_at&page=${page}>; rel="${rel}"`;
    expect(headers["link"]).toBe([link(1, "first"), link(1, "prev"), link(3, "next")].join(", "));
    const last = await world.get("/api/followers/users?page=3&per_page=1", { key });
    expect(last.headers["link"]).not.toContain("next");
  });

  test.each([
    ["page=0", "page must be a whole number from 1 to 2147483647"],
    ["per_page=1001", "per_page must be a whole number from 1 to 1000"],
    ["per_page=x", "per_page must be a whole number from 1 to 1000"],
  ])("refuses %s", async (query, sentence) => {
    const { status, body } = await world.get(`/api/followers/users?${query}`, { key });
    expect([status, (body as { error: string }).error.startsWith(sentence)]).toEqual([422, true]);
  });

  test("shows 80 unless asked for more, and no more than a list is shown", async () => {
    const many = await world.user({ username: "many" });
    await sql`insert into handles select 'fan_' || n, 'user' from generate_series(1, 100) as n`.execute(
      world.db,
    );
    await sql`insert into users (username, name) select 'fan_' || n, 'Fan' from generate_series(1, 100) as n`.execute(
      world.db,
    );
    await sql`insert into follows (follower_id, followed_user_id)
      select id, ${many.id} from users where username like 'fan\_%'`.execute(world.db);
    const keyOfMany = await world.key(many);
    const get = (query: string) => world.get(`/api/followers/users?${query}`, { key: keyOfMany });
    expect((await get("")).body).toHaveLength(80);
    expect((await get("page=2")).body).toHaveLength(20);
    expect((await get("per_page=1000")).body).toHaveLength(100);
    await followedByAbsent(many.id, 101_500);
    expect(await get("page=102&per_page=1000")).toMatchObject({
      status: 422,
      body: {
        error: "page goes past row 100000: ask for an earlier page, this list is shown no further",
      },
    });
    expect((await get("page=502&per_page=1000")).body).toEqual([]);
    expect((await get("page=101&per_page=1000")).status).toBe(200);
  });

  test("costs the same statements however many there are", async () => {
    const counts = [];
    for (const perPage of [1, 100]) {
      const ask = () => world.get(`/api/followers/users?per_page=${perPage}`, { key });
      counts.push(await world.countStatements(ask));
    }
    expect(counts[0]).toBe(counts[1]);
    // The key's owner, and the followers.
    expect(counts[1]).toBeLessThanOrEqual(3);
  });
});

/** Follows without their followers. */
async function followedByAbsent(id: number, followers: number): Promise<void> {
  await world.superuser.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into follows (follower_id, followed_user_id)
      select 1000000 + n, ${id} from generate_series(1, ${followers}::int) as n`.execute(tx);
  });
}

describe("GET /api/follows/tags", () => {
  test("lists the caller's tags, those that mean most first", async () => {
    for (const name of ["wool", "felt", "silk"]) await world.tag({ name });
    await world.follow({ user: "lena", tag: "wool" });
    await world.follow({ user: "lena", tag: "silk", points: 2.5 });
    await world.follow({ user: "lena", tag: "felt", points: 1 });
    await world.follow({ user: "bob", tag: "wool", points: 9 });
    const { status, body, headers } = await world.get("/api/follows/tags", { key });
    const id = expect.any(Number);
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { id, name: "silk", points: 2.5 },
        { id, name: "felt", points: 1 },
        { id, name: "wool", points: 1 },
      ],
    });
    const { body: tags } = await world.get("/api/tags");
    const found = (tags as { id: number; name: string }[]).find(({ name }) => name === "silk");
    expect((body as { id: number }[])[0]?.id).toBe(found?.id);
    expect(headers["cache-control"]).toBe("private, no-store");
  });

  test("is empty for who follows none", async () => {
    const keyOfAda = await world.key({ id: (await world.user({ username: "ada" })).id });
    expect(await world.get("/api/follows/tags", { key: keyOfAda })).toMatchObject({ status: 200, body: [] });
  });
});

test("both need a key whose owner isn't suspended", async () => {
  const suspended = await world.key(await world.user({ suspended: true }));
  for (const url of ["/api/followers/users", "/api/follows/tags"]) {
    for (const wrong of [undefined, "", "ink_wrong", suspended]) {
      const { status, body, headers } = await world.get(url, { key: wrong });
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: "unauthorized", status: 401, detail: expect.any(String) },
      });
      expect(headers["cache-control"]).toBe("no-store");
    }
  }
});

test("no POST follows, and no request shows the followers of organizations", async () => {
  for (const [method, url, status] of [
    ["POST", "/api/follows", 405],
    ["POST", "/api/follows/tags", 405],
    ["POST", "/api/followers/users", 405],
    ["GET", "/api/followers/organizations", 404],
  ] as const) {
    expect([url, (await world.request({ method, url, key: await world.key(lena) })).status]).toEqual([
      url,
      status,
    ]);
  }
});
