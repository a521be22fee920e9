import { beforeAll, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const FOREM = "application/vnd.forem.api-v1+json";

let lab: { id: number };
let people: Record<string, { id: number; username: string }>;
const world = worldForAll();
beforeAll(async () => {
  people = {};
  for (const username of ["zoe", "ada", "bob"]) {
    people[username] = await world.user({
      username,
      name: username.toUpperCase(),
      email: `${username}@example.org`,
      summary: "Weaves",
      created_at: "2025-01-03T23:59:59Z",
    });
  }
  lab = await world.organization({
    username: "tinkerlab",
    name: "Tinker Lab",
    summary: "We build looms",
    codehost_username: "tinkerlab",
    url: "https://tinkerlab.example",
    location: "Bilbao",
    tech_stack: "Wood, steel",
    tag_line: "Over, under",
    created_at: "2025-05-04T08:00:00.750Z",
    members: [
      { username: "bob", role: "member" },
      { username: "zoe", role: "admin" },
    ],
  });
  await world.organization({ username: "empty", name: "Empty" });
});

const LAB = () => ({
  type_of: "organization",
  id: lab.id,
  username: "tinkerlab",
  name: "Tinker Lab",
  summary: "We build looms",
  microblog_username: null,
  codehost_username: "tinkerlab",
  url: "https://tinkerlab.example",
  location: "Bilbao",
  tech_stack: "Wood, steel",
  tag_line: "Over, under",
  story: null,
  joined_at: "2025-05-04T08:00:00Z",
  profile_image: `https://ink.example/assets/identicons/organization-${lab.id}-640.png`,
});

describe("GET /api/organizations/{username}", () => {
  test("shows what it says of itself, by its username in any case and by its number, with Forem's names for its clients", async () => {
    for (const name of ["tinkerlab", "TinkerLab", String(lab.id)]) {
      const { status, body, headers } = await world.get(`/api/organizations/${name}`);
      expect({ status, body }).toEqual({ status: 200, body: LAB() });
      expect(headers["cache-control"]).toBe("public, no-cache");
    }
    const { body } = await world.get("/api/organizations/tinkerlab", { headers: { accept: FOREM } });
    expect(body).toMatchObject({ github_username: "tinkerlab", twitter_username: null });
  });

  test("takes a username for that, also when it looks like a number", async () => {
    const other = await world.organization({ username: "99", name: "Ninety-nine" });
    expect((await world.get("/api/organizations/99")).body).toMatchObject({ id: other.id });
    const taken = await world.organization({ username: `${lab.id}00`, name: "Another" });
    expect((await world.get(`/api/organizations/${lab.id}00`)).body).toMatchObject({ id: taken.id });
  });

  test("shows a change at once", async () => {
    await world.get("/api/organizations/empty");
    await world.organization({ username: "empty", name: "Empty", story: "Long ago", url: "" });
    expect((await world.get("/api/organizations/empty")).body).toMatchObject({
      story: "Long ago",
      url: null,
    });
  });
});

describe("what is no organization", () => {
  const names = [
    "nobody",
    "zoe",
    "0",
    "999999",
    "99999999999",
    "-1",
    "1e0",
    "a",
    "%00",
    "tink%C3%ABr",
    "len%E2%84%AA",
  ];
  test.each(["", "/users", "/articles"])("is a 404: %s", async (rest) => {
    for (const name of names) {
      const { status, body } = await world.get(`/api/organizations/${name}${rest}`);
      expect([name, status, body]).toEqual([name, 404, { error: "not found", status: 404 }]);
    }
  });
});

describe("GET /api/organizations", () => {
  test("lists them by their number", async () => {
    const { body, headers } = await world.get("/api/organizations?per_page=2");
    expect(body).toEqual([
      {
        id: lab.id,
        name: "Tinker Lab",
        profile_image: `https://ink.example/assets/identicons/organization-${lab.id}-640.png`,
        slug: "tinkerlab",
        summary: "We build looms",
        tag_line: "Over, under",
        url: "https://tinkerlab.example",
      },
      expect.objectContaining({ slug: "empty", summary: null, tag_line: null, url: null }),
    ]);
    expect(headers["link"]).toBe(
      '<https://ink.example/api/organizations?per_page=2&page=1>; rel="first", ' +
        '<https://ink.example/api/organizations?per_page=2&page=2>; rel="next"',
    );
  });

  test("is empty past the end, and refuses other pages", async () => {
    expect((await world.get("/api/organizations?page=99")).body).toEqual([]);
    expect((await world.get("/api/organizations?page=2147483647&per_page=1000")).body).toEqual([]);
    expect((await world.get("/api/organizations?per_page=1001")).status).toBe(422);
    expect((await world.get("/api/organizations?page=0")).status).toBe(422);
  });
});

describe("GET /api/organizations/{username}/users", () => {
  test("lists its people by their number, with exactly what is public", async () => {
    const { status, body } = await world.get("/api/organizations/TINKERLAB/users");
    const shown = (name: string) => ({
      type_of: "user",
      id: people[name]?.id,
      username: name,
      name: name.toUpperCase(),
      microblog_username: null,
      codehost_username: null,
      summary: "Weaves",
      location: null,
      website_url: null,
      joined_at: "Jan  3, 2025",
      profile_image: `https://ink.example/assets/identicons/user-${people[name]?.id}-320.png`,
    });
    expect({ status, body }).toEqual({ status: 200, body: [shown("zoe"), shown("bob")] });
  });

  test("is cut into pages, empty past the end and without members, and keeps people who are suspended", async () => {
    const page = async (query: string) =>
      ((await world.get(`/api/organizations/tinkerlab/users?${query}`)).body as { username: string }[]).map(
        ({ username }) => username,
      );
    expect(await page("per_page=1&page=2")).toEqual(["bob"]);
    expect(await page("per_page=1&page=3")).toEqual([]);
    expect(await page("page=2147483647&per_page=1000")).toEqual([]);
    expect((await world.get("/api/organizations/empty/users")).body).toEqual([]);
    expect((await world.get("/api/organizations/tinkerlab/users?per_page=x")).status).toBe(422);
    await world.user({ username: "bob", suspended: true });
    expect((await world.get("/api/organizations/tinkerlab/users")).body).toHaveLength(2);
  });
});

test("a long list costs the same statements as a short one", async () => {
  for (let n = 0; n < 20; n += 1) await world.organization();
  const names = Array.from({ length: 20 }, (_, n) => ({ username: `member_${n}`, role: "member" }));
  for (const { username } of names) await world.user({ username });
  await world.organization({ username: "crowd", members: names });
  for (const path of ["/api/organizations", "/api/organizations/crowd/users"]) {
    const counts = [];
    for (const perPage of [1, 20]) {
      const ask = async () =>
        expect((await world.get(`${path}?per_page=${perPage}`)).body).toHaveLength(perPage);
      counts.push(await world.countStatements(ask));
    }
    expect(counts[1]).toBeLessThanOrEqual(3);
    expect(counts[1]).toBeLessThanOrEqual(counts[0] as number);
  }
});
