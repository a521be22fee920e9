import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeAt, cookieOf, PASSWORD, postForm } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import * as factors from "../../community/users/second-factor.ts";

const NOW = new Date("2026-03-02T10:00:10Z");
const PATH = "/settings/two-factor";
const ROLES = ["member", "moderator", "admin"] as const;

const ids: Record<string, number> = {};

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  const hash = await hashPassword(PASSWORD);
  for (const role of ROLES) {
    const { id } = await world.user({ username: `${role}_1`, role });
    await passwords.store(world.db, id, hash);
    ids[role] = id;
  }
});

beforeEach(async () => {
  await settings.set(world.db, "require_two_factor", "staff");
  for (const id of Object.values(ids)) await factors.turnOff(world.db, id, NOW);
});

const get = (url: string, cookie: string) => world.get(url, { headers: { cookie, accept: "text/html" } });

const post = (url: string, values: Record<string, string>, cookie = "") =>
  postForm(world, url, values, { cookie });

async function signIn(role: string) {
  const answer = await post("/signin", { login: `${role}_1`, password: PASSWORD, next: "/tags" });
  return { location: answer.headers["location"], cookie: cookieOf(answer) };
}

test.each([
  ["nobody", "/tags", "/tags", "/tags"],
  ["admins", "/tags", "/tags", PATH],
  ["staff", "/tags", PATH, PATH],
])(
  "with require_two_factor %s, a member is led to %s, a moderator to %s, an admin to %s",
  async (value, ...to) => {
    await settings.set(world.db, "require_two_factor", value);
    const led = await Promise.all(ROLES.map(async (role) => (await signIn(role)).location));
    expect(led).toEqual(to);
  },
);

describe("one who must have a second factor, and has none,", () => {
  test("sees the page that turns it on, which says why", async () => {
    const { cookie } = await signIn("moderator");
    const { status, text } = await get(PATH, cookie);
    expect(status).toBe(200);
    expect(text).toContain("Your role requires a second factor: turn it on to go on.");
    expect((await get(PATH, (await signIn("member")).cookie)).text).not.toContain("Your role");
  });

  test("reads what strangers read, and does nothing else", async () => {
    const { cookie } = await signIn("admin");
    for (const path of ["/", "/tags", "/signout", "/confirm-password"])
      expect([path, (await get(path, cookie)).status]).toEqual([path, 200]);
    for (const path of ["/settings", "/settings/profile", "/settings/keys", "/admin"]) {
      const expected = { status: 303, headers: { location: PATH } };
      expect(await get(path, cookie)).toMatchObject(expected);
      expect(await post(path, { description: "x", name: "Other" }, cookie)).toMatchObject(expected);
    }
    const keys = await world.superuser.selectFrom("api_keys").selectAll().execute();
    expect(keys.filter(({ user_id }) => user_id === ids["admin"])).toEqual([]);
  });

  test("reads nothing of a private community", async () => {
    const { cookie } = await signIn("admin");
    await settings.set(world.db, "visibility", "private");
    const answers = [await get("/tags", cookie), await get("/tags", (await signIn("member")).cookie)];
    await settings.set(world.db, "visibility", "public");
    expect(answers[0]).toMatchObject({ status: 303, headers: { location: PATH } });
    expect(answers[1]?.status).toBe(200);
  });

  test("goes on with keys, signs out, and goes on without them when it is turned on", async () => {
    const key = await world.key({ id: ids["admin"] ?? 0 });
    expect((await world.get("/api/users/me", { key })).status).toBe(200);
    const { cookie } = await signIn("admin");
    expect((await post("/signout", {}, cookie)).headers["location"]).toBe("/");
    expect((await get(PATH, cookie)).status).toBe(303);
  });

  test("goes on when it is turned on", async () => {
    const { cookie } = await signIn("admin");
    const { text } = await get(PATH, cookie);
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? "";
    expect((await post(PATH, { secret, code: codeAt(secret, NOW) }, cookie)).status).toBe(200);
    expect((await get("/settings/profile", cookie)).status).toBe(200);
    await post(PATH, { turn_off: "1" }, cookie);
    expect((await get("/settings/profile", cookie)).headers["location"]).toBe(PATH);
  });
});
