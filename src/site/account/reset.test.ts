import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { localServer, mailingIn, startMailServer } from "../../../test/mail-server.ts";
import { codeAt, cookieOf, PASSWORD, postForm } from "../../../test/accounts.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { operator } from "../../http/actor.ts";
import * as addresses from "../../community/users/addresses.ts";
import { suspend } from "../../community/moderation/acts.ts";
import * as links from "../../community/users/one-time-links.ts";
import { hashPassword } from "../../community/users/password-hash.ts";
import * as passwords from "../../community/users/passwords.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as signUps from "../../community/users/sign-ups.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const SENT = "/reset?done=sent";

let world: World;
let mailbox: Awaited<ReturnType<typeof startMailServer>>;
let lena: number;

beforeAll(async () => {
  mailbox = await startMailServer();
  const config = { mail: localServer(mailbox.port), trustProxy: ["127.0.0.1"] };
  // Buckets of requests refill by the computer's clock, on which no test may depend.
  const bursts = { read_burst: "10000", write_burst: "10000" };
  world = await startWorld({ now: NOW, rateLimits: true, config, settings: bursts });
  const { db } = world;
  lena = (await world.user({ username: "lena", name: "Lena Ortiz", email: "Lena@mail.example" })).id;
  const away = await world.user({ username: "away", email: "away@mail.example" });
  await suspend(operator(db), { id: away.id });
  const mara = await world.user({ username: "mara" });
  await addresses.wait(db, { userId: mara.id, address: "mara@mail.example" }, NOW);
  const applicant = { username: "ada", name: "A", email: "ada@mail.example", password_hash: "", reason: "x" };
  await signUps.apply(db, { ...applicant, network: "" }, NOW);
});

beforeEach(async () => {
  world.setNow(NOW);
  mailbox.received.length = 0;
  await passwords.store(world.db, lena, await hashPassword(PASSWORD));
  for (const table of ["sign_in_failures", "mails", "sessions", "second_factors"] as const)
    await world.superuser.deleteFrom(table).execute();
});

afterAll(async () => {
  await world.stop();
  await mailbox.stop();
});

/** Limits of requests have tests of their own: each comes from another network. */
let requests = 0;
const elsewhere = () => `10.0.${(requests += 1) >> 8}.${requests % 256}`;

const post = (url: string, values: Record<string, string>, { cookie = "", address = elsewhere() } = {}) =>
  postForm(world, url, values, { cookie, "x-forwarded-for": address });
const get = (url: string, cookie = "") =>
  world.get(url, { headers: { cookie, accept: "text/html", "x-forwarded-for": elsewhere() } });
const ask = (login: string, address?: string) => post("/reset", { login }, address ? { address } : {});
const queued = () => world.db.selectFrom("mails").select(["kind", "user_id", "address"]).execute();
const after = (minutes: number) => world.setNow(new Date(NOW.getTime() + 60_000 * minutes));

/** The path of the link in the last mail. */
async function mailed(): Promise<string> {
  await mailingIn(world).send({ server: localServer(mailbox.port) });
  const text = mailbox.received.at(-1)?.mail.text ?? "";
  return /https:\/\/ink\.example(\/signin\/link\/\S+)/.exec(text)?.[1] ?? "";
}

/** Does what the page of a link does. */
async function follow(link: string) {
  const { pathname, searchParams } = new URL(link, "https://ink.example");
  expect((await get(link)).text).toContain(`name="next" value="${searchParams.get("next")}"`);
  return post(pathname, { next: searchParams.get("next") ?? "" });
}

const KNOWN = ["lena", " LENA ", "lena@mail.example", "Lena@Mail.Example"];
const OTHERS = {
  "an unknown name": "nobody_here",
  "an unknown address": "nobody@mail.example",
  "a suspended account": "away",
  "a suspended account's address": "away@mail.example",
  "an account without an address": "mara",
  "an address that is not confirmed": "mara@mail.example",
  "an application": "ada",
  "the address of an application": "ada@mail.example",
  "250 characters": "é".repeat(250),
};

describe("asking for a link", () => {
  test.each(KNOWN)("as %j puts one mail to the account into the queue", async (login) => {
    await ask(login);
    expect(await queued()).toEqual([{ kind: "sign_in_link", user_id: lena, address: null }]);
  });

  test.each(Object.entries(OTHERS))(
    "as %s is answered as for a known one, without a mail",
    async (_, login) => {
      const [known, other] = [await ask("lena"), await ask(login)];
      expect(known).toMatchObject({ status: 303, headers: { location: SENT } });
      const shown = ({ status, text, headers: { date: _date, ...headers } }: typeof known) => ({
        status,
        text,
        headers: Object.keys(headers),
        location: headers["location"],
      });
      expect(shown(other)).toEqual(shown(known));
      expect(await queued()).toHaveLength(1);
    },
  );

  test("costs the same statements for each login", async () => {
    const counts = [];
    for (const login of ["lena", "lena@mail.example", ...Object.values(OTHERS)])
      counts.push(await world.countStatements(() => ask(login)));
    expect(new Set(counts).size).toBe(1);
  });

  test.each([
    ["nothing", "", "Username or e-mail address can't be blank"],
    ["spaces", "  ", "can't be blank"],
    ["a NUL", "a\0", "Username or e-mail address contains"],
    ["509 characters", "a".repeat(509), "is too long (maximum is 254 characters)"],
  ])("with %s never breaks, and sends nothing", async (_, login, sentence) => {
    const { status, text } = await ask(login);
    expect(status).toBe(422);
    expect(text).toContain(sentence);
    expect(await queued()).toEqual([]);
  });

  test("leaves the pages of strangers in the cache", async () => {
    await get("/tags");
    const before = world.services.cache.moment();
    for (const login of ["lena", "nobody_here"]) await ask(login);
    expect(world.services.cache.moment().writes).toBe(before.writes);
  });

  test("leads to one page, which says how to go on", async () => {
    const { status, text } = await get(SENT);
    expect(status).toBe(200);
    for (const words of ["works once, for 60 minutes", "Check your spam folder", "Ask an admin"])
      expect(text).toContain(words);
  });
});

describe("mails that are asked for", () => {
  test("are 5 in 30 minutes for a login, and the form keeps its text", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask("lena@mail.example")));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers["retry-after"]).toBe("1800");
    expect(refused[0]?.text).toContain(
      "There were too many emails to this address. Try again in 30 minutes.",
    );
    expect(refused[0]?.text).toContain('value="lena@mail.example"');
    expect(await queued()).toHaveLength(5);
    after(30);
    expect((await ask("lena@mail.example")).status).toBe(303);
    expect(await queued()).toHaveLength(6);
  });

  test("are 5 for an account by its name and its address together, and no answer says so", async () => {
    const logins = ["lena", "lena@mail.example"];
    const answers = await Promise.all(
      [...logins, ...logins, ...logins, ...logins].map((login) => ask(login)),
    );
    expect(new Set(answers.map(({ headers }) => headers["location"]))).toEqual(new Set([SENT]));
    expect(await queued()).toHaveLength(5);
  });

  test("are 20 in an hour for a network, whatever the login", async () => {
    const from = (index: number) => `2001:db8:1:2:${index}::1`;
    for (let index = 1; index <= 20; index += 1)
      expect((await ask(`name_${index}`, from(index))).status).toBe(303);
    const { status, text } = await ask("lena", from(21));
    expect(status).toBe(429);
    expect(text).toContain("There were too many emails from your network. Try again in 60 minutes.");
    expect((await ask("lena", "2001:db8:1:3::1")).status).toBe(303);
    after(60);
    expect((await ask("lena", from(22))).status).toBe(303);
  });
});

describe("the link in the mail", () => {
  test("signs in and leads to a new password, which needs no old one and ends the next link", async () => {
    await ask("lena");
    const answer = await follow(await mailed());
    expect(answer).toMatchObject({ status: 303, headers: { location: "/settings/password" } });
    const cookie = cookieOf(answer);
    expect((await get("/settings/password", cookie)).text).not.toContain("Current password");
    await ask("lena");
    const next = await mailed();
    const password = "another good long one";
    const changed = await post("/settings/password", { password }, { cookie });
    expect(changed.headers["location"]).toBe("/settings/password?done=password&ended=0");
    expect((await get(next)).status).toBe(404);
    expect((await post("/signin", { login: "lena", password })).status).toBe(303);
  });

  test("ends by the next one, and works for one of 20 at once", async () => {
    await ask("lena");
    const first = await mailed();
    await ask("lena@mail.example");
    const second = new URL(await mailed(), "https://ink.example").pathname;
    expect((await get(first)).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(second, {})));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
  });

  test("asks for the second factor too, and then leads on", async () => {
    await factors.storeSecret(world.db, lena, SECRET, NOW);
    await ask("lena");
    const answer = await follow(await mailed());
    expect(answer.headers["location"]).toBe("/signin/code?next=%2Fsettings%2Fpassword");
    const waiting = cookieOf(answer);
    expect((await get("/settings/password", waiting)).status).toBe(303);
    const values = { code: codeAt(SECRET, NOW), next: "/settings/password" };
    const finished = await post("/signin/code", values, { cookie: waiting });
    expect(finished.headers["location"]).toBe("/settings/password");
    expect((await get("/settings/password", cookieOf(finished))).text).not.toContain("Current password");
  });

  test("leads nowhere outside of the site, and opens no other page by its token", async () => {
    await ask("lena");
    const { pathname } = new URL(await mailed(), "https://ink.example");
    const token = pathname.split("/").at(-1) ?? "";
    for (const other of ["setup", "unsubscribe", "invite"])
      expect((await get(`/${other}/${token}`)).status).toBe(404);
    const setUp = await links.create(world.db, null, NOW);
    for (const answer of [await get(`/signin/link/${setUp}`), await post(`/signin/link/${setUp}`, {})])
      expect(answer.status).toBe(404);
    expect((await post(pathname, { next: "//elsewhere.example" })).headers["location"]).toBe("/");
  });
});
