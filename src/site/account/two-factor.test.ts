import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeAt, cookieFor, PASSWORD, postForm } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as sessions from "../../community/users/sessions.ts";

const NOW = new Date("2026-03-02T10:00:10Z");
const LATER = new Date("2026-03-02T10:16:10Z");
const PATH = "/settings/two-factor";

let userId: number;
let cookie: string;

const beginSession = (id: number) => cookieFor(world, id, { isFinished: true });

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  userId = (await world.user({ username: "lena", name: "Lena Ortiz", role: "moderator" })).id;
  await passwords.store(world.db, userId, await hashPassword(PASSWORD));
});

beforeEach(async () => {
  world.setNow(NOW);
  await factors.turnOff(world.db, userId, NOW);
  await sessions.endAll(world.db, userId);
  cookie = await beginSession(userId);
});

const get = (url: string) => world.get(url, { headers: { cookie, accept: "text/html" } });

const post = (url: string, values: Record<string, string>) => postForm(world, url, values, { cookie });

const secretIn = (html: string) => /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? "";
const codesIn = (html: string): string[] => html.match(/([A-Z2-7]{4}-){5}[A-Z2-7]{4}/g) ?? [];

async function turnOn() {
  const secret = secretIn((await get(PATH)).text);
  const { status, text } = await post(PATH, { secret, code: codeAt(secret, NOW) });
  expect(status).toBe(200);
  return { secret, text, codes: codesIn(text) };
}

describe("while it is off", () => {
  test("the page shows a secret as text and as a QR code, each time another", async () => {
    const { status, text, headers } = await get(PATH);
    const secret = secretIn(text);
    expect({ status, cache: headers["cache-control"], encoding: headers["content-encoding"] }).toEqual({
      status: 200,
      cache: "private, no-store",
      encoding: undefined,
    });
    expect(text).toContain(secret.match(/.{4}/g)?.join(" "));
    expect(text).toContain(`href="otpauth://totp/Inkstone:lena?issuer=Inkstone&amp;secret=${secret}&amp;`);
    expect(text).toMatch(/<svg role="img" aria-label="The secret as a QR code" width="\d+" height="\d+"/);
    expect(text).not.toContain("style=");
    expect(secretIn((await get(PATH)).text)).not.toBe(secret);
    expect(await factors.find(world.db, userId)).toBeUndefined();
  });

  test("the page asks for the password first if it was given long ago", async () => {
    world.setNow(LATER);
    const { text } = await get(PATH);
    expect(secretIn(text)).toBe("");
    expect(text).toContain('href="/confirm-password?next=%2Fsettings%2Ftwo-factor"');
  });

  test.each(["not one", ""])("a form whose secret is %j gets another one", async (secret) => {
    const { status, text } = await post(PATH, { secret, code: "123456" });
    expect(status).toBe(422);
    expect(secretIn(text)).toMatch(/./);
  });

  test("new codes and turning it off change nothing", async () => {
    expect((await post(PATH, { new_codes: "1" })).status).toBe(303);
    expect((await post(PATH, { turn_off: "1" })).status).toBe(303);
    expect(await factors.find(world.db, userId)).toBeUndefined();
  });
});

describe("turning it on", () => {
  test("takes a code, shows ten recovery codes once, and ends other sessions", async () => {
    const other = await beginSession(userId);
    const { secret, text, codes } = await turnOn();
    expect(codes).toHaveLength(10);
    expect(text).toContain("shown only once");
    const again = await post(PATH, { secret, code: codeAt(secret, NOW) });
    expect(again.headers["location"]).toBe(`${PATH}?done=factor`);
    const shown = await get(`${PATH}?done=factor`);
    expect(shown.text).toContain("if you haven’t stored them, make new ones");
    expect(shown.text).toContain("10 recovery codes left");
    expect([codesIn(shown.text), secretIn(shown.text)]).toEqual([[], ""]);
    expect((await world.get(PATH, { headers: { cookie: other } })).status).toBe(303);
  });

  test("with a wrong code keeps the secret, and says what is wrong", async () => {
    const secret = secretIn((await get(PATH)).text);
    const { status, text } = await post(PATH, { secret, code: codeAt(secret, NOW, 5) });
    expect(status).toBe(422);
    expect(text).toContain("<title>Error: Second factor – Settings");
    expect(text).toContain('<a href="#code">Code is wrong: give the one that the app shows now');
    expect(secretIn(text)).toBe(secret);
  });

  test("needs a password that was given a short time ago", async () => {
    const secret = secretIn((await get(PATH)).text);
    world.setNow(LATER);
    const { headers } = await post(PATH, { secret, code: codeAt(secret, LATER) });
    expect(headers["location"]).toBe("/confirm-password?next=%2Fsettings%2Ftwo-factor");
    expect(await factors.find(world.db, userId)).toBeUndefined();
  });
});

describe("while it is on", () => {
  test("new recovery codes take the place of the old ones", async () => {
    const { codes } = await turnOn();
    const made = codesIn((await post(PATH, { new_codes: "1" })).text);
    expect(made).toHaveLength(10);
    expect(made.filter((code) => codes.includes(code))).toEqual([]);
  });

  test("the page warns of few recovery codes", async () => {
    const { codes } = await turnOn();
    const [first] = (
      await world.superuser.selectFrom("second_factors").select("recovery_codes").executeTakeFirstOrThrow()
    ).recovery_codes;
    expect(codes).toHaveLength(10);
    if (first === undefined) throw new Error("no codes");
    await world.superuser
      .updateTable("second_factors")
      .set({ recovery_codes: [first] })
      .execute();
    expect((await get(PATH)).text).toContain("1 recovery code left");
    expect((await get(PATH)).text).toContain("Make new ones now");
  });

  test.each(["new_codes", "turn_off"])("%s needs a fresh password", async (act) => {
    await turnOn();
    world.setNow(LATER);
    const { headers } = await post(PATH, { [act]: "1" });
    expect(headers["location"]).toBe("/confirm-password?next=%2Fsettings%2Ftwo-factor");
    const { headers: confirmed } = await post("/confirm-password", { password: PASSWORD, next: PATH });
    expect(confirmed["location"]).toBe(PATH);
    cookie = String(confirmed["set-cookie"]).split(";")[0] ?? "";
    expect((await post(PATH, { [act]: "1" })).status).toBe(act === "turn_off" ? 303 : 200);
  });

  test("it can be turned off, and on with another secret", async () => {
    const { secret } = await turnOn();
    const { headers } = await post(PATH, { turn_off: "1" });
    expect(headers["location"]).toBe(`${PATH}?done=factor_off`);
    expect((await get(`${PATH}?done=factor_off`)).text).toContain("The second factor is off.");
    expect((await turnOn()).secret).not.toBe(secret);
  });

  test("the password can be changed without a code", async () => {
    await turnOn();
    const values = { current_password: PASSWORD, password: PASSWORD };
    const { headers } = await post("/settings/password", values);
    cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
    expect((await get("/settings/password")).status).toBe(200);
  });

  test("acts of it leave the pages of strangers in the cache", async () => {
    await world.get("/tags");
    const before = world.services.cache.moment();
    await turnOn();
    await post(PATH, { new_codes: "1" });
    await post(PATH, { turn_off: "1" });
    expect(world.services.cache.moment().writes).toBe(before.writes);
  });
});
