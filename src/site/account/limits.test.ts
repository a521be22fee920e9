import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PASSWORD, postForm } from "../../../test/accounts.ts";
import { cases } from "../../../test/setup.ts";
import { worldForAll } from "../../../test/world.ts";
import * as links from "../../community/users/one-time-links.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";

const NOW = new Date("2026-03-02T10:00:00Z");

let lena: number;

const world = worldForAll({ now: NOW, rateLimits: true, config: { trustProxy: ["127.0.0.1"] } });
beforeAll(async () => {
  lena = (await world.user({ username: "lena", email: "lena@mail.example" })).id;
  await world.user({ username: "mara" });
  await passwords.store(world.db, lena, await hashPassword(PASSWORD));
});

beforeEach(async () => {
  world.setNow(NOW);
  await world.superuser.deleteFrom("sign_in_failures").execute();
});

const attempt = (login: string, password: string, address = "203.0.113.1") =>
  postForm(world, "/signin", { login, password }, { "x-forwarded-for": address });

const after = (seconds: number) => world.setNow(new Date(NOW.getTime() + 1_000 * seconds));

describe("failures to sign in", () => {
  test("of an account cost time from the fifth on, which doubles", async () => {
    for (let failure = 1; failure <= 5; failure += 1)
      expect((await attempt("lena", "wrong", `203.0.113.${failure}`)).status).toBe(422);
    const refused = await attempt("lena", PASSWORD, "203.0.113.99");
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("2");
    expect(refused.text).toContain("Try again in 2 seconds.");
    after(2);
    expect((await attempt("lena", "wrong")).status).toBe(422);
    expect((await attempt("lena", "wrong")).headers["retry-after"]).toBe("4");
    after(6);
    expect((await attempt("lena", PASSWORD)).status).toBe(303);
    expect((await attempt("lena", "wrong")).status).toBe(422);
    expect((await attempt("lena", PASSWORD)).status).toBe(303);
  });

  test("of an account cost at most 15 minutes, and are forgotten after a day", async () => {
    let seconds = 0;
    for (let failure = 0; failure < 20; failure += 1) {
      after(seconds);
      await attempt("lena", "wrong");
      seconds += 900;
    }
    expect((await attempt("lena", "wrong")).text).toContain("Try again in 15 minutes.");
    after(seconds + 86_400);
    for (let failure = 1; failure <= 5; failure += 1)
      expect((await attempt("lena", "wrong")).status).toBe(422);
  });

  test("of a name that nobody has cost the same", async () => {
    for (let failure = 1; failure <= 5; failure += 1)
      expect((await attempt("nobody_here", "wrong", `203.0.113.${failure}`)).status).toBe(422);
    expect((await attempt("nobody_here", "wrong")).headers["retry-after"]).toBe("2");
  });

  test("that come at once are counted one by one", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt("lena", "wrong")));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test("count by their number, in whatever order their times arrive", async () => {
    const statuses = [];
    for (let number = 1; number <= 7; number += 1) {
      after(-number / 1_000);
      statuses.push((await attempt("lena", "wrong", "192.0.2.5")).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });

  test("of an address, or a /64, are 25 in 5 minutes, whatever the account", async () => {
    const from = (index: number) => `2001:db8:1:2:${index}::1`;
    for (let index = 1; index <= 25; index += 1)
      expect((await attempt(`name_${index}`, "wrong", from(index))).status).toBe(422);
    expect(await attempt("lena", PASSWORD, from(26))).toMatchObject({
      status: 429,
      headers: { "retry-after": "300" },
    });
    expect((await attempt("lena", PASSWORD, "2001:db8:1:3::1")).status).toBe(303);
    after(300);
    expect((await attempt("lena", PASSWORD, from(27))).status).toBe(303);
  });

  test("that an account refuses don't count for their address: the time to wait is true", async () => {
    const address = "192.0.2.2";
    for (let index = 1; index <= 5; index += 1) await attempt("lena", "wrong", address);
    for (let index = 1; index <= 19; index += 1) await attempt(`name_${index}`, "wrong", address);
    expect((await attempt("lena", PASSWORD, address)).headers["retry-after"]).toBe("2");
    after(2);
    expect((await attempt("lena", PASSWORD, address)).status).toBe(303);
  });

  test("of an account and its address that are both refused wait for the later one", async () => {
    const address = "192.0.2.3";
    for (let index = 1; index <= 25; index += 1) await attempt(`name_${index}`, "wrong", address);
    for (let index = 1; index <= 5; index += 1) await attempt("lena", "wrong", "192.0.2.4");
    after(299);
    await attempt("lena", "wrong", "192.0.2.4");
    expect((await attempt("lena", PASSWORD, address)).headers["retry-after"]).toBe("4");
    after(303);
    expect((await attempt("lena", PASSWORD, address)).status).toBe(303);
  });

  test("don't block an address whose 25th attempt was right", async () => {
    const address = "192.0.2.1";
    for (let index = 1; index <= 24; index += 1) await attempt(`name_${index}`, "wrong", address);
    expect((await attempt("lena", PASSWORD, address)).status).toBe(303);
    expect((await attempt("name_25", "wrong", address)).status).toBe(422);
  });

  test("don't tell whose e-mail address an address is", async () => {
    for (let failure = 1; failure <= 5; failure += 1) await attempt("lena", "wrong", `192.0.2.1${failure}`);
    for (const login of ["lena@mail.example", "other@mail.example"])
      expect((await attempt(login, "wrong", "192.0.2.20")).status).toBe(422);
  });

  test("leave a sign-in link as it is", async () => {
    for (let failure = 1; failure <= 6; failure += 1) await attempt("lena", "wrong", `203.0.113.${failure}`);
    const url = `/signin/link/${await links.create(world.db, lena, NOW)}`;
    const headers = { "sec-fetch-site": "same-origin" };
    expect((await world.request({ method: "POST", url, headers })).status).toBe(303);
  });
});

test("an account without a password is as one whose password is wrong", async () => {
  const { status, text } = await attempt("mara", "");
  expect(status).toBe(422);
  expect(text).toContain("Username or password is wrong");
});

test("many attempts to sign in leave the pages of strangers in the cache", async () => {
  await world.get("/tags");
  const before = world.services.cache.moment();
  for (let count = 0; count < cases(200, 50); count += 1) {
    const address = `198.51.100.${count % 200}`;
    await attempt(count % 2 === 0 ? "lena" : `name_${count}`, PASSWORD, address);
  }
  expect(world.services.cache.moment().writes).toBe(before.writes);
});
