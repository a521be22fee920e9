import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startAnother } from "../../../test/servers.ts";
import { codeAt, cookieOf, PASSWORD, postForm } from "../../../test/accounts.ts";
import { worldForAll } from "../../../test/world.ts";
import { operator } from "../../http/actor.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import * as factors from "../../community/users/second-factor.ts";
import { lift, suspend } from "../../community/moderation/acts.ts";
import * as sessions from "../../community/users/sessions.ts";

const NOW = new Date("2026-03-02T10:00:10Z");
const after = (minutes: number) => new Date(NOW.getTime() + 60_000 * minutes);
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const PATH = "/signin/code";

let userId: number;
let codes: string[];

const world = worldForAll({ now: NOW });
beforeAll(async () => {
  userId = (await world.user({ username: "lena", name: "Lena Ortiz" })).id;
  await passwords.store(world.db, userId, await hashPassword(PASSWORD));
});

beforeEach(async () => {
  world.setNow(NOW);
  await factors.turnOff(world.db, userId, NOW);
  await sessions.endAll(world.db, userId);
  await world.superuser.deleteFrom("sign_in_failures").execute();
  const code = codeAt(SECRET, NOW, -1);
  codes = (await factors.turnOn(world.db, { userId, secret: SECRET, code }, NOW)) ?? [];
});

const get = (url: string, cookie: string) => world.get(url, { headers: { cookie, accept: "text/html" } });

const post = (
  url: string,
  values: Record<string, string>,
  cookie = "",
  server: Pick<typeof world, "request"> = world,
) => postForm(server, url, values, { cookie });

async function signIn(next = "/tags") {
  const answer = await post("/signin", { login: "lena", password: PASSWORD, next });
  return { location: answer.headers["location"], cookie: cookieOf(answer) };
}

const isSignedIn = async (cookie: string) => (await get("/settings/profile", cookie)).status === 200;

describe("after the right password", () => {
  test("a code finishes signing in, by another session, and leads on", async () => {
    const { location, cookie } = await signIn();
    expect(location).toBe("/signin/code?next=%2Ftags");
    const page = await get(location ?? "", cookie);
    expect(page.status).toBe(200);
    expect(page.text).toContain('autocomplete="one-time-code"');
    const given = codeAt(SECRET, NOW).replace(/(...)/, " $1 ");
    const answer = await post(PATH, { code: given, next: "/tags" }, cookie);
    expect(answer).toMatchObject({ status: 303, headers: { location: "/tags" } });
    expect(cookieOf(answer)).not.toBe(cookie);
    expect([await isSignedIn(cookieOf(answer)), await isSignedIn(cookie)]).toEqual([true, false]);
    expect((await get("/signin/code?next=/tags", cookieOf(answer))).headers["location"]).toBe("/tags");
    const elsewhere = await post(PATH, { code: "", next: "//elsewhere.example" }, cookieOf(answer));
    expect(elsewhere.headers["location"]).toBe("/");
  });

  test("the form that was in the way is sent on, after a wrong code too", async () => {
    const article = await world.article({ username: "lena" }, { title: "Looms" });
    const form = { article: String(article.id), body_markdown: "A long thought", back: "/tags" };
    const fields = { ...form, action: "/comments/new", login: "lena", password: PASSWORD };
    const answer = await post("/signin", fields);
    expect(answer).toMatchObject({ status: 307, headers: { location: PATH } });
    const cookie = cookieOf(answer);
    const page = await post(PATH, fields, cookie);
    expect(page.status).toBe(200);
    const wrong = await post(PATH, { ...form, action: "/comments/new", code: "000000" }, cookie);
    expect(wrong.status).toBe(422);
    for (const { text } of [page, wrong]) {
      expect(text).toContain('name="body_markdown" value="A long thought"');
      expect(text).not.toContain(PASSWORD);
    }
    const right = await post(PATH, { ...form, action: "/comments/new", code: codeAt(SECRET, NOW) }, cookie);
    expect(right).toMatchObject({ status: 307, headers: { location: "/comments/new" } });
    const written = await post("/comments/new", form, cookieOf(right));
    expect(written.headers["location"]).toMatch(/#comment-/);
  });

  test("nothing else is open, and no list of sessions has it", async () => {
    const { cookie } = await signIn();
    const strangers = await world.get("/tags", { headers: { accept: "text/html" } });
    expect((await get("/tags", cookie)).text).toBe(strangers.text);
    expect(await isSignedIn(cookie)).toBe(false);
    expect((await post("/confirm-password", { password: PASSWORD }, cookie)).status).toBe(401);
    expect((await post("/settings/two-factor", { turn_off: "1" }, cookie)).status).toBe(401);
    expect(await sessions.list(world.db, userId, NOW)).toEqual([]);
  });

  test("a recovery code works once, and the page says how many are left", async () => {
    const { cookie } = await signIn();
    const code = (codes[0] ?? "").toLowerCase();
    const answer = await post(PATH, { code, next: "/tags" }, cookie);
    expect(answer.headers["location"]).toBe("/settings/two-factor?done=recovered");
    const { text } = await get("/settings/two-factor?done=recovered", cookieOf(answer));
    expect(text).toContain("You have signed in with a recovery code. It can’t be used again.");
    expect(text).toContain("9 recovery codes left");
    const again = await post(PATH, { code }, (await signIn()).cookie);
    expect(again.status).toBe(422);
    expect(again.text).toContain("Code is wrong, or a recovery code that has been used");
  });

  test("a wrong code, and one that has been used, are refused with the form", async () => {
    const { cookie } = await signIn();
    const wrong = await post(PATH, { code: "000000", next: "/tags" }, cookie);
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("<title>Error: Enter your code");
    expect(wrong.text).toContain('name="next" value="/tags"');
    expect(wrong.text).toContain('<a href="#code">Code is wrong: ');
    const used = await post(PATH, { code: codeAt(SECRET, NOW, -1) }, cookie);
    expect(used.text).toContain("Code has been used already: wait for the next one");
  });

  test("the form that was in the way goes on by a recovery code, and by the next sign-in once this one has ended", async () => {
    const form = { action: "/new", back: "/new", title: "Looms", body_markdown: "Text" };
    const { cookie } = await signIn();
    const answer = await post(PATH, { ...form, code: codes[0] ?? "" }, cookie);
    expect(answer).toMatchObject({ status: 307, headers: { location: "/new" } });
    const other = await signIn();
    world.setNow(after(11));
    const ended = await post(PATH, { ...form, code: codes[1] ?? "" }, other.cookie);
    expect(ended.status).toBe(422);
    expect(ended.text).toContain("A code is taken for 10 minutes: sign in again");
    expect(ended.text).toContain('action="/signin"');
    for (const [name, value] of Object.entries(form))
      expect(ended.text).toContain(`type="hidden" name="${name}" value="${value}"`);
  });

  test("five wrong codes end it, and the next sign-in waits", async () => {
    const { cookie } = await signIn();
    for (let count = 1; count < 5; count += 1) {
      const { status, text } = await post(PATH, { code: "000000" }, cookie);
      expect([status, text.includes('name="code"')]).toEqual([422, true]);
    }
    const fifth = await post(PATH, { code: "000000", next: "/tags" }, cookie);
    expect(fifth.status).toBe(422);
    expect(fifth.text).toContain("5 wrong codes have ended this sign-in: begin again");
    expect(fifth.text).toContain('action="/signin"');
    expect(fifth.text).toContain('name="next" value="/tags"');
    expect(fifth.text).not.toContain('name="code"');
    expect((await post(PATH, { code: codeAt(SECRET, NOW) }, cookie)).status).toBe(422);
    const next = await post(PATH, { code: codeAt(SECRET, NOW) }, (await signIn()).cookie);
    expect(next).toMatchObject({ status: 429, headers: { "retry-after": "2" } });
    expect(next.text).toContain("Try again in 2 seconds.");
  });

  test("the right password doesn't clear the count of wrong codes", async () => {
    for (let count = 1; count <= 5; count += 1)
      expect((await post(PATH, { code: "000000" }, (await signIn()).cookie)).status).toBe(422);
    expect((await post(PATH, { code: "000000" }, (await signIn()).cookie)).status).toBe(429);
  });

  test("after 10 minutes it is too late", async () => {
    const { cookie } = await signIn();
    world.setNow(after(9.9));
    expect((await get(PATH, cookie)).status).toBe(200);
    world.setNow(after(10));
    const late = await post(PATH, { code: codeAt(SECRET, after(10)), next: "/tags" }, cookie);
    expect(late.status).toBe(422);
    expect(late.text).toContain("A code is taken for 10 minutes: sign in again");
    expect((await get(`${PATH}?next=/tags`, cookie)).headers["location"]).toBe("/signin?next=%2Ftags");
    await sessions.purge(world.db, after(10));
    expect(await world.superuser.selectFrom("sessions").select("id").execute()).toEqual([]);
  });
});

test("one code signs in once on two servers at the same time", async () => {
  const another = await startAnother(world);
  const waiting = [(await signIn()).cookie, (await signIn()).cookie];
  const form = { code: codeAt(SECRET, NOW) };
  const answers = await Promise.all(
    [world, another].map((server, at) => post(PATH, form, waiting[at], server)),
  );
  await another.stop();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 422]));
});

test.each(["suspended", "turned off"])("a sign-in that waits is over when its account is %s", async (end) => {
  const { cookie } = await signIn();
  if (end === "suspended") await suspend(operator(world.db), { id: userId });
  else await factors.turnOff(world.db, userId, NOW);
  expect((await post(PATH, { code: codeAt(SECRET, NOW) }, cookie)).status).toBe(422);
  if (end === "suspended") await lift(operator(world.db), { id: userId });
});

test("strangers are led to sign in", async () => {
  expect((await get(PATH, "")).headers["location"]).toBe("/signin");
  expect((await post(PATH, { code: "000000" })).status).toBe(422);
});
