import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newToken } from "../../tokens.ts";
import { at, MO, PASSWORD, type Joining, startJoining } from "../../../test/joining.ts";
import { localServer, type Received, startMailServer } from "../../../test/mail-server.ts";
import { purge } from "../../users/sign-ups.ts";

let joining: Joining;
let post: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  post = await startMailServer();
  joining = await startJoining();
  joining.context.config.mail = localServer(post.port);
});
beforeEach(async () => {
  await joining.reset();
  await joining.mode("open");
  await joining.db.deleteFrom("mails").execute();
  post.received.length = 0;
});
afterAll(async () => {
  await joining.stop();
  await post.stop();
});

const CONFIRMED = { ...MO, email: "mo@example.com", unconfirmed: null };

/** Sends what waits; the links that the mails bring, oldest first. */
async function links(): Promise<string[]> {
  const before = post.received.length;
  await joining.mailing.send({ server: localServer(post.port) });
  const pathIn = ({ mail }: Received) => /https:\/\/ink\.example(\/[\w/-]+)\n/.exec(mail.text ?? "")?.[1];
  return post.received.slice(before).map((one) => pathIn(one) ?? "");
}

async function signUp(more: Record<string, string> = {}): Promise<{ page: string; link: string }> {
  const { status, headers } = await joining.join(more);
  const page = String(headers["location"]);
  expect([status, headers["set-cookie"]]).toEqual([303, undefined]);
  expect(page).toMatch(/^\/signup\/sent\?page=[\w-]{43}$/);
  const [link = ""] = await links();
  return { page, link };
}

const signIn = (login: string) => joining.post("/signin", { login, password: PASSWORD });

describe("where everyone may join, with mail", () => {
  test("the link in the mail makes the account, signs in and leads to where the person wanted to be", async () => {
    const stranger = await joining.get("/");
    const { page, link } = await signUp({ next: "/tags" });
    expect(post.received[0]?.to).toEqual(["mo@example.com"]);
    expect((await joining.get(page)).text).toContain(
      "We have sent a mail to <strong>mo@example.com</strong>",
    );
    for (const login of ["mo", "mo@example.com"]) expect((await signIn(login)).status).toBe(422);
    expect((await joining.get("/mo")).status).toBe(404);
    // A scanner of mails follows it.
    const shown = await joining.get(link);
    expect([shown.status, shown.headers["referrer-policy"]]).toEqual([200, "strict-origin"]);
    expect(shown.text).toContain("Mo Ito (@mo) joins with the address mo@example.com");
    expect((await joining.get("/")).headers["etag"]).toBe(stranger.headers["etag"]);
    expect(await joining.joined()).toEqual([]);
    const { status, headers } = await joining.post(link, {});
    expect([status, headers["location"]]).toEqual([303, "/tags"]);
    const cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
    expect((await joining.request({ url: "/settings/profile", headers: { cookie } })).status).toBe(200);
    expect(await joining.joined()).toEqual([CONFIRMED]);
    expect(await joining.waiting()).toEqual([]);
    expect((await signIn("mo@example.com")).status).toBe(303);
    const again = await joining.post(link, {});
    expect([again.status, again.text.includes("works once")]).toEqual([404, true]);
  });

  test("a form that is sent twice, at once or later, is one sign-up with one mail", async () => {
    const page = /name="page" value="([\w-]{43})"/.exec((await joining.get("/signup")).text)?.[1] ?? "";
    const answers = await Promise.all([joining.join({ page }), joining.join({ page })]);
    answers.push(await joining.join({ page }));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(({ headers }) => headers["location"])).size).toBe(1);
    expect(String(answers[0]?.headers["location"])).not.toContain(page);
    expect(await links()).toHaveLength(1);
    expect(await joining.waiting()).toHaveLength(1);
    expect((await joining.join({ page: "" })).status).toBe(422);
  });

  test("a form that is sent again with other words is another sign-up, and so is one after 48 hours", async () => {
    const page = newToken();
    const { headers } = await joining.join({ page });
    expect((await joining.join({ page, email: "mo@new.example" })).status).toBe(422);
    const other = await joining.join({ page, username: "mo_other" });
    expect(other.status).toBe(303);
    expect(other.headers["location"]).not.toBe(headers["location"]);
    joining.setNow(at(48 * 60));
    expect((await joining.join({ page })).headers["location"]).toBe(headers["location"]);
    expect((await joining.waiting()).map(({ username }) => username)).toEqual(["mo_other", "mo"]);
  });

  test("the answer is the same for an address that a member has, who gets a mail about it", async () => {
    await joining.db
      .updateTable("users")
      .set({ email: "ada@example.com" })
      .where("username", "=", "ada")
      .execute();
    const known = await signUp({ email: "Ada@example.com" });
    expect(post.received[0]?.mail.subject).toMatch(/^You have an account on /);
    expect(known.link).toMatch(/^\/signin\/link\//);
    const unknown = await signUp({ username: "mo_2" });
    const textOf = async ({ page }: { page: string }) =>
      (await joining.get(page)).text
        .replaceAll(page.slice(-43), "PAGE")
        .replaceAll(/(?:Ada|mo)@example\.com/g, "ADDRESS");
    expect(await textOf(known)).toBe(await textOf(unknown));
    // The name is held by both.
    for (const username of ["mo", "mo_2"])
      expect((await joining.join({ username })).text).toContain("Username has already been taken");
  });

  test("several may wait with one address, and the first to confirm gets it", async () => {
    const first = await signUp();
    const second = await signUp({ username: "mo_2" });
    expect((await joining.post(second.link, {})).status).toBe(303);
    const late = await joining.post(first.link, {});
    expect([late.status, late.text.includes("Email has already been taken")]).toEqual([422, true]);
    expect(await joining.joined()).toEqual([{ ...CONFIRMED, username: "mo_2" }]);
  });

  test("a sign-up waits for 48 hours, and then frees its name", async () => {
    const { page, link } = await signUp();
    joining.setNow(at(48 * 60 - 1));
    expect((await joining.get(link)).status).toBe(200);
    joining.setNow(at(48 * 60));
    expect((await joining.get(link)).status).toBe(404);
    expect((await joining.post(link, {})).status).toBe(404);
    expect((await joining.get(page)).text).toContain("sign up once more");
    await signUp({ shown: "0", email: "other@example.com" });
    joining.setNow(at(2 * 48 * 60));
    await purge(joining.db, at(2 * 48 * 60));
    expect(await joining.waiting()).toEqual([]);
  });

  test("another mail goes to the same address or a corrected one, and ends the earlier link", async () => {
    const { page, link } = await signUp();
    const again = (email: string) => joining.post("/signup/sent", { page: page.slice(-43), email });
    expect((await again("mo@example.com")).headers["location"]).toBe(page);
    const [second = ""] = await links();
    expect((await joining.get(link)).status).toBe(404);
    await again("correct@example.com");
    expect((await joining.get(second)).status).toBe(404);
    const [third = ""] = await links();
    expect(post.received.map(({ to }) => to[0])).toEqual([
      "mo@example.com",
      "mo@example.com",
      "correct@example.com",
    ]);
    expect((await joining.post(third, {})).status).toBe(303);
    expect(await joining.joined()).toEqual([{ ...CONFIRMED, email: "correct@example.com" }]);
    const wrong = await again("nowhere");
    expect([wrong.status, wrong.text.includes("E-mail address must be an address such as")]).toEqual([
      422,
      true,
    ]);
    expect((await joining.post("/signup/sent", { page: "x", email: "mo@example.com" })).status).toBe(303);
    expect(await links()).toEqual([]);
  });

  test("a mail that was on its way to the address before the correction brings no link", async () => {
    const { headers } = await joining.join();
    const page = String(headers["location"]).slice(-43);
    await joining.post("/signup/sent", { page, email: "correct@example.com" });
    await links();
    expect(post.received.map(({ to }) => to[0])).toEqual(["correct@example.com"]);
  });

  test("all spellings of a domain are one address", async () => {
    const { link } = await signUp({ email: "mo@ｅxample．COM" });
    expect((await joining.post(link, {})).status).toBe(303);
    expect(await joining.joined()).toEqual([CONFIRMED]);
    expect((await signIn("Mo@example。com")).status).toBe(303);
    const known = await signUp({ username: "mo_2", email: "MO@EXAMPLE.com" });
    expect(known.link).toMatch(/^\/signin\/link\//);
    for (const email of ["mo@.", "mo@a..example", "mo@b.example?bcc=x", "mo@[::1]", "mo@xn--a.example"])
      expect((await joining.join({ username: "mo_3", email })).status).toBe(422);
  });

  test("an invitation for an address brings in no other one", async () => {
    const invitationPage = await joining.post("/settings/invitations", {}, "lena");
    const invitation = /\/invite\/([\w-]{43})/.exec(invitationPage.text)?.[1] ?? "";
    await joining.db.updateTable("invitations").set({ address: "mo@example.com" }).execute();
    await joining.mode("invite");
    const { page } = await signUp({ invitation });
    const again = await joining.post("/signup/sent", { page: page.slice(-43), email: "eve@example.com" });
    expect([again.status, again.text.includes("E-mail address must be the one that is invited")]).toEqual([
      422,
      true,
    ]);
    expect(await links()).toEqual([]);
  });

  test("an address gets 5 mails in 30 minutes, however many are asked for at once", async () => {
    const { page } = await signUp();
    const again = (email: string) => joining.post("/signup/sent", { page: page.slice(-43), email });
    const answers = await Promise.all(Array.from({ length: 8 }, () => again("mo@example.com")));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(4);
    const { status, headers, text } = answers.find((answer) => answer.status !== 303) ?? {};
    expect([status, headers?.["retry-after"]]).toEqual([429, "1800"]);
    expect(text).toContain("There were too many mails to this address. Try again in 30 minutes.");
    expect((await again("other@example.com")).status).toBe(303);
  });

  test("a sign-up whose mail is refused doesn't count: the time to wait is true", async () => {
    for (let mail = 0; mail < 5; mail++) await joining.post("/reset", { login: "mo@example.com" });
    joining.setNow(at(20));
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await joining.join({ shown: "0" })).headers["retry-after"]).toBe("600");
    joining.setNow(at(30));
    expect((await joining.join({ shown: "0" })).status).toBe(303);
  });

  test("twenty who use one link at once make one account", async () => {
    const { link } = await signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => joining.post(link, {})));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await joining.joined()).toEqual([CONFIRMED]);
  });

  test("a name that is taken while the sign-up waits is said", async () => {
    const { link } = await signUp();
    await joining.user({ username: "mo", name: "Mo Else" });
    const { status, text } = await joining.post(link, {});
    expect([status, text.includes("Username has already been taken")]).toEqual([422, true]);
  });

  test("programs see the page of people, and no mail is sent", async () => {
    const { headers } = await joining.join({ website: "x" });
    expect(headers["location"]).toMatch(/^\/signup\/sent\?page=[\w-]{43}$/);
    expect((await joining.get(String(headers["location"]))).text).toContain("its link finishes it");
    expect(await links()).toEqual([]);
  });
});

test("sign-ups and their mails leave the pages of strangers in the cache", async () => {
  await joining.get("/tags");
  const before = joining.services.cache.moment();
  const { page } = await signUp();
  await joining.post("/signup/sent", { page: page.slice(-43), email: "mo@example.com" });
  await joining.mode("approval");
  const between = joining.services.cache.moment();
  const [link = ""] = await links();
  expect((await joining.post(link, {})).status).toBe(303);
  expect(between.writes - before.writes).toBe(2);
  expect(joining.services.cache.moment().writes).toBe(between.writes);
});

test("a link judges the mode anew: closed and invite refuse, approval makes an application", async () => {
  const { link } = await signUp();
  for (const mode of ["closed", "invite"] as const) {
    await joining.mode(mode);
    expect((await joining.post(link, {})).status).toBe(403);
  }
  expect(await joining.joined()).toEqual([]);
  await joining.mode("approval");
  const { status, headers } = await joining.post(link, {});
  expect(status).toBe(303);
  expect((await joining.get(String(headers["location"]))).text).toContain("An admin will look at it");
  expect((await signIn("mo")).status).toBe(422);
  expect(await joining.waiting()).toMatchObject([{ state: "applied", is_confirmed: true }]);
});
