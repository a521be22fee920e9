import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { suspend } from "../../src/community/moderation/acts.ts";
import { operator } from "../../src/http/actor.ts";
import * as sessions from "../../src/community/users/sessions.ts";
import { worldForAll } from "../world.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const DEVICE = { network: "203.0.113.0/24", browser: "Firefox" };
const DAY = 86_400_000;

let lena: number;
let token: string;

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  lena = (await world.user({ username: "lena", name: "Lena Ortiz" })).id;
});

beforeEach(async () => {
  world.setNow(NOW);
  token = await sessions.begin(world.db, { userId: lena, ...DEVICE }, NOW);
});

const read = (url: string, value = token) =>
  world.get(url, { headers: { cookie: `__Host-session=${value}` } });
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe("a page", () => {
  test("is the reader's own with a session, and no cache may keep it", async () => {
    const { status, headers, text } = await read("/");
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(headers["vary"]).toBe("Accept-Encoding, Cookie, api-key");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(text).toContain("Lena Ortiz");
    const stranger = await world.get("/");
    expect(stranger.text).not.toContain("Lena Ortiz");
    expect(stranger.headers["etag"]).not.toBe(headers["etag"]);
    expect(stranger.headers["vary"]).toBe("Accept-Encoding, Cookie, api-key");
  });

  test.each([
    ["an unknown token", () => "A".repeat(43)],
    ["a token of a wrong form", () => "wrong"],
    ["a token with another at its end", () => `${token}A`],
  ])("is the stranger's with %s, byte for byte", async (_, value) => {
    const [known, stranger] = [await read("/", value()), await world.get("/")];
    expect(known.text).toBe(stranger.text);
    expect(known.headers["set-cookie"]).toBeUndefined();
    expect(known.headers["etag"]).toBe(stranger.headers["etag"]);
  });
});

test("a page that isn't there offers a member no other session", async () => {
  const { status, text } = await world.get("/nobody/here", {
    headers: { cookie: `__Host-session=${token}`, accept: "text/html" },
  });
  expect(status).toBe(404);
  expect(text).not.toContain('class="sign-in"');
});

describe("a session", () => {
  const isKnown = async () => (await read("/")).text.includes("Lena Ortiz");

  test("ends after 14 days without a page, and after 90 days", async () => {
    for (let day = 13; day < 90; day += 13) {
      world.setNow(later(day * DAY));
      expect(await isKnown()).toBe(true);
      await expect
        .poll(async () => (await sessions.list(world.db, lena, later(day * DAY)))[0]?.seen_at)
        .toEqual(later(day * DAY));
    }
    world.setNow(later(90 * DAY));
    expect(await isKnown()).toBe(false);
  });

  test("without a page for 14 days is over", async () => {
    world.setNow(later(14 * DAY));
    expect(await isKnown()).toBe(false);
  });

  test("ends with its removal, a suspension and the beginning of the one that replaces it", async () => {
    const id = (await sessions.authenticate(world.db, token, NOW))?.sessionId ?? 0;
    expect(await sessions.end(world.db, { userId: lena, id })).toBe(true);
    expect(await isKnown()).toBe(false);
    expect(await sessions.end(world.db, { userId: lena, id })).toBe(false);

    token = await sessions.begin(world.db, { userId: lena, ...DEVICE }, NOW);
    const next = await sessions.begin(world.db, { userId: lena, ...DEVICE, replacing: token }, NOW);
    expect(await isKnown()).toBe(false);
    token = next;
    expect(await isKnown()).toBe(true);

    const mara = (await world.user({ username: "mara" })).id;
    token = await sessions.begin(world.db, { userId: mara, ...DEVICE }, NOW);
    await suspend(operator(world.db), { id: mara });
    expect((await read("/")).text).not.toContain("mara");
    await expect(sessions.begin(world.db, { userId: mara, ...DEVICE }, NOW)).rejects.toThrow("suspended");
  });
});

test("sessions leave the pages of strangers in the cache", async () => {
  await world.get("/tags");
  const before = world.services.cache.moment();
  for (let count = 0; count < 20; count += 1) {
    token = await sessions.begin(world.db, { userId: lena, ...DEVICE }, NOW);
    await read("/tags");
  }
  expect(world.services.cache.moment().writes).toBe(before.writes);
});

test.each([
  ["same-origin", undefined, true],
  ["none", undefined, true],
  ["same-site", "https://ink.example", false],
  ["cross-site", "https://ink.example", false],
  ["other", "https://ink.example", false],
  [undefined, "https://ink.example", true],
  [undefined, "https://other.example", false],
  [undefined, "http://ink.example", false],
  [undefined, "https://ink.example:8443", false],
  [undefined, "null", false],
  [undefined, "", false],
  [undefined, undefined, false],
])("a form with Sec-Fetch-Site %s and Origin %s is taken: %s", async (site, origin, isTaken) => {
  const headers = {
    ...(site !== undefined && { "sec-fetch-site": site }),
    ...(origin !== undefined && { origin }),
    accept: "text/html",
  };
  const { statusCode, payload } = await world.app.inject({ method: "POST", url: "/nowhere", headers });
  expect(statusCode).toBe(isTaken ? 405 : 403);
  expect(payload.includes("This form came from another site")).toBe(!isTaken);
});
