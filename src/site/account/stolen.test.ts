import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeAt, cookieFor, cookieOf, PASSWORD, postForm } from "../../../test/accounts.ts";
import { until } from "../../../test/waiting.ts";
import { worldForAll } from "../../../test/world.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import * as addresses from "../../community/users/addresses.ts";
import * as links from "../../community/users/one-time-links.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as sessions from "../../community/users/sessions.ts";

const NEXT = "another good long one";

let lena: number;
let cookie: string;
const world = worldForAll();
beforeAll(async () => void (lena = (await world.user({ username: "lena", name: "Lena Ortiz" })).id));
beforeEach(async () => {
  await passwords.store(world.db, lena, await hashPassword(PASSWORD));
  await sessions.endAll(world.db, lena);
  await factors.turnOff(world.db, lena, new Date());
  await world.superuser.deleteFrom("sign_in_failures").execute();
  cookie = await cookieFor(world, lena);
});

const post = (url: string, values: Record<string, string>, headers: Record<string, string> = { cookie }) =>
  postForm(world, url, values, headers);

const waiting = async () => {
  const locks = world.superuser.selectFrom("pg_locks" as never).select("pid" as never);
  return (await locks.where("granted" as never, "=", false as never).execute()).length;
};

const alive = () => sessions.list(world.db, lena, new Date());

describe("a change of the password", () => {
  const change = () => post("/settings/password", { current_password: PASSWORD, password: NEXT });

  test("leaves no session that the old one begins at the same time", async () => {
    const signIn = () => post("/signin", { login: "lena", password: PASSWORD }, {});
    const attempts = Array.from({ length: 8 }, signIn);
    const changed = change();
    attempts.push(...Array.from({ length: 8 }, signIn));
    await Promise.all([...attempts, changed]);
    expect((await changed).status).toBe(303);
    expect(await alive()).toHaveLength(1);
  });

  test("ends the link that signs the user in", async () => {
    const token = await links.create(world.db, lena, new Date());
    expect((await change()).status).toBe(303);
    expect((await world.get(`/signin/link/${token}`)).status).toBe(404);
    expect((await post(`/signin/link/${token}`, {}, {})).headers["set-cookie"]).toBeUndefined();
  });

  test("ends the link that would confirm another address, also of a mail that is yet to be sent", async () => {
    const given = { userId: lena, address: "lena@new.example" };
    await addresses.wait(world.db, given, new Date());
    const token = await addresses.createLink(world.db, given);
    expect((await change()).status).toBe(303);
    expect((await world.get(`/confirm/${token}`)).status).toBe(404);
    expect((await post(`/confirm/${token}`, {}, {})).status).toBe(404);
    expect(await addresses.findWaiting(world.db, given, new Date())).toBeUndefined();
    expect(await addresses.find(world.db, lena)).toMatchObject({
      confirmed: null,
      waiting: "lena@new.example",
    });
    await addresses.cancel(world.db, lena);
  });

  test.each(["link", "code"])("leaves no session to a %s that is used at the same time", async (way) => {
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    let [url, values, headers]: Parameters<typeof post> = ["/signin/code", {}, {}];
    if (way === "link") url = `/signin/link/${await links.create(world.db, lena, new Date())}`;
    else {
      await factors.storeSecret(world.db, lena, secret, new Date());
      const signedIn = await post("/signin", { login: "lena", password: PASSWORD }, {});
      headers = { cookie: cookieOf(signedIn) };
      values = { code: codeAt(secret, new Date()) };
    }
    let answer: ReturnType<typeof post> | undefined;
    await world.superuser.transaction().execute(async (tx) => {
      await passwords.store(tx, lena, await hashPassword(NEXT));
      answer = post(url, values, headers);
      await until(async () => (await waiting()) > 0);
      await sessions.endAll(tx, lena);
    });
    const { status, headers: answered } = (await answer) ?? {};
    expect([status, answered?.["set-cookie"]]).toEqual([way === "link" ? 404 : 401, undefined]);
    expect(await alive()).toEqual([]);
  });
});

test("a sign-in that runs while the second factor is turned on asks for its code", async () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  let answer: ReturnType<typeof post> | undefined;
  await world.superuser.transaction().execute(async (tx) => {
    const now = new Date();
    await factors.turnOn(tx, { userId: lena, secret, code: codeAt(secret, now) }, now);
    answer = post("/signin", { login: "lena", password: PASSWORD }, {});
    await until(async () => (await waiting()) > 0);
    await sessions.endAll(tx, lena);
  });
  const { status, headers } = (await answer) ?? {};
  expect([status, headers?.["location"]]).toEqual([303, "/signin/code?next=%2F"]);
  expect(await alive()).toEqual([]);
});

describe("a session that ends while its request is on the way", () => {
  test.each([
    ["/settings/reading", { theme: "dark", size: "large", face: "sans" }],
    ["/settings/profile", { name: "Somebody else" }],
    ["/settings/account", { email: "lena@new.example" }],
    ["/settings/keys", { description: "Blog sync" }],
    ["/settings/password", { current_password: PASSWORD, password: NEXT }],
    ["/confirm-password", { password: PASSWORD }],
    ["/settings/sessions", { end: "others" }],
  ])("writes nothing at %s", async (url, values) => {
    const before = await stateOfLena();
    let answer: ReturnType<typeof post> | undefined;
    await world.superuser.transaction().execute(async (tx) => {
      await lockPermissions(tx, lena);
      answer = post(url, values);
      await until(async () => (await waiting()) > 0);
      await tx.deleteFrom("sessions").where("user_id", "=", lena).execute();
    });
    const { status, headers } = (await answer) ?? {};
    expect(status).toBe(401);
    expect(headers?.["set-cookie"]).toBeUndefined();
    expect(await alive()).toEqual([]);
    expect(await stateOfLena()).toEqual(before);
  });

  const stateOfLena = async () => [
    await world.superuser
      .selectFrom("users")
      .select(["name", "reading", "password_hash"])
      .where("id", "=", lena)
      .execute(),
    await world.superuser.selectFrom("api_keys").select("id").execute(),
    await world.superuser.selectFrom("unconfirmed_addresses").select("address").execute(),
  ];
});

test("a cookie is signed out though the request has a key too", async () => {
  const key = await world.key({ id: lena });
  expect((await post("/signout", {}, { cookie, "api-key": key })).status).toBe(303);
  expect(await alive()).toEqual([]);
});
