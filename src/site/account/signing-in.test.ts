import { beforeAll, describe, expect, test } from "vitest";
import { cookieOf, PASSWORD, postForm } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import { operator } from "../../http/actor.ts";
import { changeRole } from "../../community/users/moderation.ts";
import * as addresses from "../../community/users/addresses.ts";
import * as links from "../../community/users/one-time-links.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import { lift, suspend } from "../../community/moderation/acts.ts";
import * as sessions from "../../community/users/sessions.ts";

const NOW = new Date("2026-03-02T10:00:00Z");

let lena: number;

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  lena = (await world.user({ username: "lena", name: "Lena Ortiz", email: "lena@example.com" })).id;
  await passwords.store(world.db, lena, await hashPassword(PASSWORD));
});

const post = (url: string, values: Record<string, string>, headers: Record<string, string> = {}) =>
  postForm(world, url, values, headers);

describe("signing in", () => {
  test.each(["lena", "LENA", "lena@example.com", " Lena@Example.com "])(
    "as %s with the password begins a session and leads on",
    async (login) => {
      const { status, headers } = await post("/signin", { login, password: PASSWORD, next: "/tags" });
      expect({ status, location: headers["location"] }).toEqual({ status: 303, location: "/tags" });
      const cookie = String(headers["set-cookie"]);
      expect(cookie).toMatch(/^__Host-session=[\w-]{43}; /);
      for (const part of ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"]) expect(cookie).toContain(part);
      const { text } = await world.get("/", { headers: { cookie: cookieOf({ headers }) } });
      expect(text).toContain("Menu of Lena Ortiz");
    },
  );

  test.each([
    ["a wrong password", "lena", "wrong password"],
    ["an unknown name", "nobody", PASSWORD],
    ["nothing", "", ""],
    ["a name that can't be stored", "\u0000", PASSWORD],
  ])("with %s shows the form again, with one sentence", async (_, login, password) => {
    const { status, text, headers } = await post("/signin", { login, password });
    expect(status).toBe(422);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(text).not.toContain(PASSWORD);
    if (!login.includes("\0")) expect(text).toContain("Username or password is wrong");
  });

  test.each([
    ["//elsewhere.example", "/"],
    ["https://elsewhere.example/", "/"],
    ["/\\elsewhere.example", "/"],
    ["/tags?a=1#b", "/tags?a=1#b"],
    ["/a\nb", "/"],
    ["javascript:alert(1)", "/"],
  ])("leads from %j to %s", async (next, location) => {
    const { headers } = await post("/signin", { login: "lena", password: PASSWORD, next });
    expect(headers["location"]).toBe(location);
  });
});

test("the page of an address that would lose the cookie leads to the site's own", async () => {
  const at = (host: string) => world.get("/signin?next=/tags", { headers: { host } });
  expect((await at("192.168.0.7:3000")).text).toContain('href="https://ink.example/signin?next=%2Ftags"');
  expect((await at("ink.example")).text).toContain('name="password"');
});

test("a session that somebody planted in the browser isn't the one that begins", async () => {
  const mara = await world.user({ username: "planter" });
  const device = { network: "", browser: "" };
  for (const planted of [
    "A".repeat(43),
    await sessions.begin(world.db, { userId: mara.id, ...device }, NOW),
  ]) {
    const cookie = `__Host-session=${planted}`;
    const { headers } = await post("/signin", { login: "lena", password: PASSWORD }, { cookie });
    expect(cookieOf({ headers })).toMatch(/^__Host-session=[\w-]{43}$/);
    expect(cookieOf({ headers })).not.toBe(cookie);
    expect(await sessions.authenticate(world.db, planted, NOW)).toBeUndefined();
  }
});

test("signing in again ends the session that the browser had", async () => {
  const first = cookieOf(await post("/signin", { login: "lena", password: PASSWORD }));
  const second = await post("/signin", { login: "lena", password: PASSWORD }, { cookie: first });
  expect((await world.get("/settings/profile", { headers: { cookie: first } })).status).toBe(303);
  const cookie = cookieOf(second);
  expect((await world.get("/settings/profile", { headers: { cookie } })).status).toBe(200);
  expect((await world.get("/signin?next=/tags", { headers: { cookie } })).headers["location"]).toBe("/tags");
});

test("the page of the form removes the cookie of a session that has ended", async () => {
  const { headers } = await world.get("/signin", { headers: { cookie: `__Host-session=${"A".repeat(43)}` } });
  expect(String(headers["set-cookie"])).toContain("Max-Age=0");
});

test("a suspended account learns that from the right password alone", async () => {
  const { id } = await world.user({ username: "away" });
  await passwords.store(world.db, id, await hashPassword(PASSWORD));
  await suspend(operator(world.db), { id });
  const right = await post("/signin", { login: "away", password: PASSWORD });
  expect(right.status).toBe(422);
  expect(right.text).toContain("This account is suspended");
  const wrong = await post("/signin", { login: "away", password: "wrong" });
  expect(wrong.text).toContain("Username or password is wrong");
  expect(wrong.text).not.toContain("suspended");
  const url = `/signin/link/${await links.create(world.db, id, NOW)}`;
  expect((await post(url, {})).text).toContain("This link doesn’t work");
});

describe("an applicant", () => {
  beforeAll(async () => {
    const email = "mo@example.com";
    const person = { username: "mo", name: "Mo", email, password_hash: await hashPassword(PASSWORD) };
    const page = { network: "", created_at: NOW };
    await world.db
      .insertInto("sign_ups")
      .values({ ...person, ...page, state: "applied" })
      .execute();
  });

  test.each(["mo", "mo@example.com"])("as %s reads from the right password that it waits", async (login) => {
    const right = await post("/signin", { login, password: PASSWORD });
    expect(right.status).toBe(422);
    expect(right.text).toContain("Your application waits for an admin or a moderator");
    expect(right.headers["set-cookie"]).toBeUndefined();
    const wrong = await post("/signin", { login, password: "wrong" });
    expect(wrong.text).toContain("Username or password is wrong");
    expect(wrong.text).not.toContain("waits");
  });
});

test("an address that isn't confirmed signs in the only account that has given it", async () => {
  const signIn = async (login: string) => (await post("/signin", { login, password: PASSWORD })).status;
  for (const username of ["one", "two"]) {
    const { id } = await world.user({ username });
    await passwords.store(world.db, id, await hashPassword(PASSWORD));
    await addresses.wait(world.db, { userId: id, address: "Shared@example.com" }, NOW);
    expect(await signIn("shared@example.com")).toBe(username === "one" ? 303 : 422);
  }
  await world.user({ username: "holder", email: "shared@example.com" });
  expect(await signIn("shared@example.com")).toBe(422);
  expect(await signIn("one")).toBe(303);
});

test.each(["suspend", "role"])("a session ends with a change of rights: %s", async (change) => {
  const { id } = await world.user({ username: `other_${change}` });
  await passwords.store(world.db, id, await hashPassword(PASSWORD));
  const { headers } = await post("/signin", { login: `other_${change}`, password: PASSWORD });
  const cookie = cookieOf({ headers });
  if (change === "suspend") await suspend(operator(world.db), { id });
  else await changeRole(operator(world.db), { id, role: "moderator" });
  await lift(operator(world.db), { id: id });
  expect((await world.get("/settings/profile", { headers: { cookie } })).status).toBe(303);
});

describe("a sign-in link", () => {
  test("shows a button, and signs in once", async () => {
    const token = await links.create(world.db, lena, NOW);
    const path = `/signin/link/${token}`;
    const shown = await world.get(path);
    expect(shown.text).toContain("Sign in as Lena Ortiz");
    expect(shown.headers).toMatchObject({
      "referrer-policy": "strict-origin",
      "cache-control": "private, no-store",
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, {})));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
    expect((await world.get(path)).text).toContain("This link doesn’t work");
  });
});

test("signing out ends the session, and removes its cookie", async () => {
  const { headers } = await post("/signin", { login: "lena", password: PASSWORD });
  const cookie = cookieOf({ headers });
  const out = await post("/signout", {}, { cookie });
  expect(out).toMatchObject({ status: 303, headers: { location: "/" } });
  expect(String(out.headers["set-cookie"])).toContain("Max-Age=0");
  expect((await world.get("/settings/profile", { headers: { cookie } })).headers["location"]).toBe(
    "/signin?next=%2Fsettings%2Fprofile",
  );
});
