import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cookieFor, cookieOf, PASSWORD, postForm } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import * as sessions from "../../community/users/sessions.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const LATER = new Date("2026-03-02T10:16:00Z");
const DEVICE = { network: "203.0.113.0/24", browser: "Firefox" };

let lena: number;
let cookie: string;

const world = worldForAll({ now: NOW });
beforeAll(async () => void (lena = (await world.user({ username: "lena", name: "Lena Ortiz" })).id));

beforeEach(async () => {
  world.setNow(NOW);
  await passwords.store(world.db, lena, await hashPassword(PASSWORD));
  await sessions.endAll(world.db, lena);
  cookie = await cookieFor(world, lena);
});

const get = (url: string) => world.get(url, { headers: { cookie } });

const post = (url: string, values: Record<string, string>) => postForm(world, url, values, { cookie });

const tokenIn = (html: string) => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";

describe("the profile", () => {
  test("is shown, saved and shown again", async () => {
    const { text } = await get("/settings/profile");
    expect(text).toContain('value="Lena Ortiz"');
    const values = { form_token: tokenIn(text), name: "Lena", summary: "\r\nTwo\r\nlines", website_url: "" };
    const location = "/settings/profile?done=saved";
    expect(await post("/settings/profile", values)).toMatchObject({ status: 303, headers: { location } });
    const saved = await get("/settings/profile?done=saved");
    expect(saved.text).toContain("Saved.");
    expect(saved.text).toContain('value="Lena"');
    const { body } = await world.get("/api/users/by_username?url=lena");
    expect(body).toMatchObject({ name: "Lena", summary: "Two\nlines" });
  });

  test("that is refused keeps what was typed, and says why", async () => {
    const { status, text } = await post("/settings/profile", {
      name: " ",
      website_url: "nowhere",
      location: "Here",
    });
    expect(status).toBe(422);
    expect(text).toContain("<title>Error: Profile – Settings");
    expect(text).toContain('<a href="#name">Name can\'t be blank</a>');
    expect(text).toContain('value="nowhere"');
    expect(text).toContain('value="Here"');
  });
});

describe("the password", () => {
  test("is changed with the old one, and other sessions end", async () => {
    const other = await sessions.begin(world.db, { userId: lena, ...DEVICE }, NOW);
    const values = { current_password: PASSWORD, password: "another good long one" };
    const changed = await post("/settings/password", values);
    const location = "/settings/password?done=password&ended=1";
    expect(changed).toMatchObject({ status: 303, headers: { location } });
    expect(await sessions.authenticate(world.db, other, NOW)).toBeUndefined();
    expect((await get("/settings/password")).status).toBe(303);
    cookie = cookieOf(changed);
    expect((await get(location)).text).toContain("Your password is changed. Other sessions that ended: 1.");
  });

  test.each([
    ["wrong", "another good long one", "Current password is wrong"],
    [PASSWORD, "short", "New password is too short (minimum is 8 characters)"],
    [PASSWORD, "password1", "New password is one of those that many people use: choose another one"],
    [PASSWORD, "Inkstone", "New password must not be the name of the community: choose another one"],
  ])("isn't changed with %s and %s", async (current, password, sentence) => {
    const { status, text } = await post("/settings/password", { current_password: current, password });
    expect(status).toBe(422);
    expect(text).toContain(sentence);
  });

  test("leaves no digest of itself where repeated forms are known", async () => {
    const noted = () => world.superuser.selectFrom("idempotency_keys").select("key").execute();
    const before = await noted();
    const form = { form_token: "A".repeat(22), password: "another good long one" };
    expect((await post("/settings/password", { ...form, current_password: PASSWORD })).status).toBe(303);
    expect(await noted()).toEqual(before);
  });

  test("needs no old one after a sign-in link, for 15 minutes", async () => {
    cookie = await cookieFor(world, lena, { isByLink: true });
    expect((await get("/settings/password")).text).not.toContain("Current password");
    world.setNow(LATER);
    expect((await get("/settings/password")).text).toContain("Current password");
    expect((await post("/settings/password", { password: "another good long one" })).status).toBe(422);
    world.setNow(NOW);
    expect((await post("/settings/password", { password: "another good long one" })).status).toBe(303);
  });
});

describe("sessions", () => {
  test("are listed, and one or all others end", async () => {
    const other = await sessions.begin(
      world.db,
      { userId: lena, network: "198.51.100.0/24", browser: "Opera" },
      NOW,
    );
    const { text } = await get("/settings/sessions");
    expect(text).toContain("This browser");
    expect(text).toContain("198.51.100.0/24");
    const id = /name="end" value="(\d+)"/.exec(text)?.[1] ?? "";
    expect((await post("/settings/sessions", { end: id })).headers["location"]).toBe(
      "/settings/sessions?done=ended",
    );
    expect(await sessions.authenticate(world.db, other, NOW)).toBeUndefined();
    await sessions.begin(world.db, { userId: lena, ...DEVICE }, NOW);
    expect((await post("/settings/sessions", { end: "others" })).headers["location"]).toBe(
      "/settings/sessions?done=others&ended=1",
    );
    expect((await get("/settings/sessions")).text).toContain("on this browser only");
  });
});

describe("keys", () => {
  test("are shown once, and revoked", async () => {
    const page = await get("/settings/keys");
    expect(page.text).toContain("YOUR_KEY");
    const values = {
      form_token: tokenIn(page.text),
      description: "Blog sync",
      expires_at: "",
      read_only: "1",
    };
    const made = await post("/settings/keys", values);
    expect(made.status).toBe(200);
    expect(made.headers["content-encoding"]).toBeUndefined();
    const key = /ink_\w{38}/.exec(made.text)?.[0] ?? "";
    expect((await world.get("/api/users/me", { key })).body).toMatchObject({ username: "lena" });
    const again = await post("/settings/keys", values);
    expect(again).toMatchObject({ status: 303, headers: { location: "/settings/keys?done=key" } });
    const list = await get("/settings/keys");
    expect(list.text).toContain("Blog sync");
    expect(list.text).not.toContain(key);
    const stored = await world.superuser.selectFrom("idempotency_keys").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(key);
    const id = /name="revoke" value="(\d+)"/.exec(list.text)?.[1] ?? "";
    expect((await post("/settings/keys", { revoke: id })).headers["location"]).toBe(
      "/settings/keys?done=revoked",
    );
    expect((await world.get("/api/users/me", { key })).status).toBe(401);
  });

  test("of others can't be revoked", async () => {
    const key = await world.key(await world.user({ username: "mara" }));
    const { id } = await world.superuser.selectFrom("api_keys").select("id").executeTakeFirstOrThrow();
    expect((await post("/settings/keys", { revoke: String(id) })).status).toBe(422);
    expect((await world.get("/api/users/me", { key })).status).toBe(200);
  });

  test("need a password that was given a short time ago", async () => {
    world.setNow(LATER);
    const { headers } = await post("/settings/keys", { description: "x" });
    expect(headers["location"]).toBe("/confirm-password?next=%2Fsettings%2Fkeys");
    const wrong = await post("/confirm-password", { password: "wrong", next: "/settings/keys" });
    expect(wrong.status).toBe(422);
    const right = await post("/confirm-password", { password: PASSWORD, next: "/settings/keys" });
    expect(right.headers["location"]).toBe("/settings/keys");
    expect((await get("/settings/keys")).status).toBe(303);
    cookie = cookieOf(right);
    expect((await post("/settings/keys", { description: "x" })).status).toBe(200);
  });
});

describe("confirming the password", () => {
  const confirm = (password: string) => post("/confirm-password", { password });

  test("ends the session with the fifth wrong one, and no other", async () => {
    const other = await sessions.begin(world.db, { userId: lena, ...DEVICE }, NOW);
    for (let time = 0; time < 4; time += 1) expect((await confirm("wrong")).status).toBe(422);
    const { status, text } = await confirm("wrong");
    expect(status).toBe(422);
    expect(text).toContain("5 wrong passwords have ended this session: sign in again");
    expect((await get("/settings")).headers["location"]).toBe("/signin?next=%2Fsettings");
    expect(await sessions.authenticate(world.db, other, NOW)).toBeDefined();
  });

  test("counts from the beginning after a right one", async () => {
    for (let time = 0; time < 4; time += 1) await confirm("wrong");
    cookie = cookieOf(await confirm(PASSWORD));
    expect((await confirm("wrong")).status).toBe(422);
  });

  test("isn't kept from a member by others who fail to sign in as them", async () => {
    for (let time = 0; time < 6; time += 1) await post("/signin", { login: "lena", password: "wrong" });
    expect((await post("/signin", { login: "lena", password: PASSWORD })).status).toBe(429);
    expect((await confirm(PASSWORD)).status).toBe(303);
  });
});

test("how a reader reads is on their pages", async () => {
  const values = { form_token: "A".repeat(22), theme: "dark", size: "large", face: "sans" };
  // The browser obeys the last answer to a form that is sent twice.
  for (let time = 0; time < 2; time++)
    expect((await post("/settings/reading", values)).headers["set-cookie"]).toEqual([
      "theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; Secure",
    ]);
  expect((await get("/")).text).toContain(
    '<html lang="en" data-theme="dark" data-size="large" data-face="sans">',
  );
  expect((await post("/settings/reading", { theme: "pink", size: "large", face: "sans" })).status).toBe(422);
});

test("settings are for members: others sign in first", async () => {
  for (const section of ["", "/profile", "/account", "/password", "/sessions", "/reading", "/keys"]) {
    const url = `/settings${section}`;
    const location = `/signin?next=${encodeURIComponent(url)}`;
    expect(await world.get(url, { headers: { accept: "text/html" } })).toMatchObject({
      status: 303,
      headers: { location },
    });
    cookie = "";
    expect(await post(url, {})).toMatchObject({ status: 401 });
  }
});
