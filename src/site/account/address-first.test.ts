import { beforeEach, describe, expect, test } from "vitest";
import { at, MO, PASSWORD, joiningForEach } from "../../../test/accounts.ts";
import { wordsIn } from "../../../test/canary.ts";
import { localServer } from "../../../test/mail-server.ts";

const joining = joiningForEach("open", { hasMail: true });
beforeEach(() => joining.db.updateTable("users").set({ email: null }).execute());

const CONFIRMED = { ...MO, email: "mo@example.com", unconfirmed: null };
const SENT = "/signup?done=sent";

/** Sends what waits; the links that the emails bring, oldest first. */
async function links(): Promise<string[]> {
  const before = joining.server.received.length;
  await joining.mailing.send({ server: localServer(joining.server.port) });
  return joining.server.received
    .slice(before)
    .map(({ mail }) => /https:\/\/ink\.example(\/\S+)\n/.exec(mail.text ?? "")?.[1] ?? "");
}

const ask = (email = "mo@example.com", more: Record<string, string> = {}) =>
  joining.post("/signup", { email, shown: "0", ...more });

async function linkFor(...asked: Parameters<typeof ask>): Promise<string> {
  const { status, headers } = await ask(...asked);
  expect([status, headers["location"], headers["set-cookie"]]).toEqual([303, SENT, undefined]);
  return (await links())[0] ?? "";
}

const signIn = (login: string) => joining.post("/signin", { login, password: PASSWORD });

describe("where everyone may join, with email", () => {
  test("the form asks for the address alone, and its link leads to the form of the account", async () => {
    const form = (await joining.get("/signup?next=/tags")).text;
    expect(form).toContain('name="email"');
    expect(form).not.toMatch(/name="(?:name|username|password)"/);
    const link = await linkFor("mo@example.com", { next: "/tags" });
    expect((await joining.get(SENT)).text).toContain("Open it to finish signing up.");
    const { status, headers, text } = await joining.get(link);
    expect([status, headers["referrer-policy"], headers["cache-control"]]).toEqual([
      200,
      "strict-origin",
      "private, no-store",
    ]);
    expect(text).toContain("Your address is <strong>mo@example.com</strong>");
    expect(await wordsIn(joining.superuser, [link.slice(8, 51)])).toEqual(new Map());
    const joined = await joining.finish(link);
    expect([joined.status, joined.headers["location"]]).toEqual([303, "/tags"]);
    const cookie = String(joined.headers["set-cookie"]).split(";")[0] ?? "";
    expect((await joining.request({ url: "/settings/profile", headers: { cookie } })).status).toBe(200);
    expect(await joining.joined()).toEqual([CONFIRMED]);
    expect((await signIn("mo@example.com")).status).toBe(303);
    for (const late of [await joining.get(link), await joining.finish(link, { username: "mo_2" })])
      expect([late.status, late.text.includes("until an account has the address")]).toEqual([404, true]);
  });

  test("nothing is kept until then, and no name is held", async () => {
    const stranger = await joining.get("/");
    await joining.join();
    await links();
    expect([await joining.joined(), await joining.waiting()]).toEqual([[], []]);
    for (const login of ["mo", "mo@example.com"]) expect((await signIn(login)).status).toBe(422);
    expect((await joining.get("/signup/name?username=mo")).body).toEqual({ fault: null });
    expect((await joining.get("/")).headers["etag"]).toBe(stranger.headers["etag"]);
  });

  test("the answer and its statements are the same for an address that a member has, who gets an email about it", async () => {
    await joining.db
      .updateTable("users")
      .set({ email: "ada@example.com" })
      .where("username", "=", "ada")
      .execute();
    const shown = async (email: string) => {
      let answer: Awaited<ReturnType<typeof ask>> | undefined;
      const statements = await joining.countStatements(async () => void (answer = await ask(email)));
      const { date: _, ...headers } = answer?.headers ?? {};
      return { statements, status: answer?.status, text: answer?.text, location: headers["location"] };
    };
    expect(await shown("Ada@example.com")).toEqual(await shown("mo@example.com"));
    const [known, unknown] = await links();
    expect(joining.server.received[0]?.mail.subject).toMatch(/^You have an account on /);
    expect(known).toMatch(/^\/signin\/link\//);
    expect(unknown).toMatch(/^\/signup\//);
  });

  test("a link proves no other address, and works for 48 hours", async () => {
    const link = await linkFor();
    for (const email of ["eve@example.com", "", "mo@example.com "])
      expect([email, (await joining.finish(link, { email })).status]).toEqual([email, 404]);
    joining.setNow(at(48 * 60 - 1));
    expect((await joining.get(link)).status).toBe(200);
    joining.setNow(at(48 * 60));
    expect([(await joining.get(link)).status, (await joining.finish(link)).status]).toEqual([404, 404]);
    expect(await joining.joined()).toEqual([]);
  });

  test("several links may prove one address: twenty who use them at once make one account", async () => {
    const both = [await linkFor(), await linkFor()];
    joining.context.config.rateLimits = false;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        joining.finish(both[index % 2] ?? "", { username: `mo_${index}` }),
      ),
    );
    joining.context.config.rateLimits = true;
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await joining.joined()).toMatchObject([{ email: "mo@example.com" }]);
  });

  test("a form with a fault is shown again without the address, and takes another name", async () => {
    const link = await linkFor();
    const { status, text } = await joining.finish(link, { username: "lena" });
    expect([status, text.includes("Username has already been taken")]).toEqual([422, true]);
    expect(text).toContain('type="hidden" name="link"');
    expect(text).not.toContain('autocomplete="email"');
    expect((await joining.finish(link)).status).toBe(303);
  });

  test("all spellings of a domain are one address", async () => {
    const link = await linkFor("mo@ｅxample．COM");
    expect((await joining.finish(link)).status).toBe(303);
    expect(await joining.joined()).toEqual([CONFIRMED]);
    expect((await signIn("Mo@example。com")).status).toBe(303);
    expect(await linkFor("MO@EXAMPLE.com")).toMatch(/^\/signin\/link\//);
    for (const email of ["mo@.", "mo@a..example", "mo@b.example?bcc=x", "mo@[::1]", "mo@xn--a.example", ""])
      expect((await ask(email)).status).toBe(422);
  });

  test("an address gets 5 emails in 30 minutes, however many are asked for at once", async () => {
    for (let mail = 0; mail < 4; mail++) await joining.post("/reset", { login: "mo@example.com" });
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask()));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const { status, headers, text } = answers.find((answer) => answer.status !== 303) ?? {};
    expect([status, headers?.["retry-after"]]).toEqual([429, "1800"]);
    expect(text).toContain("There were too many emails to this address. Try again in 30 minutes.");
    expect((await ask("other@example.com")).status).toBe(303);
    // A refused one doesn't count: the time to wait is true.
    joining.setNow(at(20));
    for (let attempt = 0; attempt < 5; attempt++) expect((await ask()).headers["retry-after"]).toBe("600");
    joining.setNow(at(30));
    expect((await ask()).status).toBe(303);
  });

  test("programs are refused, and no email is sent", async () => {
    expect((await ask("mo@example.com", { website: "x" })).status).toBe(422);
    expect(await links()).toEqual([]);
  });
});

test("a person with an invitation has the account at once, and an email that confirms the address", async () => {
  await joining.mode("invite");
  const { text } = await joining.post("/settings/invitations", {}, "lena");
  const invitation = /\/invite\/([\w-]{43})/.exec(text)?.[1] ?? "";
  expect((await joining.get(`/invite/${invitation}`)).text).toContain('name="password"');
  expect(String((await joining.join({ invitation })).headers["set-cookie"])).toContain("session=");
  expect(await joining.joined()).toEqual([MO]);
  const [link = ""] = await links();
  expect(link).toMatch(/^\/confirm\//);
  expect((await joining.post(link, {})).status).toBe(200);
  expect(await joining.joined()).toEqual([CONFIRMED]);
});

test("where admins approve, the one form applies, and the email of the approval confirms the address", async () => {
  await joining.mode("approval");
  expect((await joining.get("/signup")).text).toContain('name="password"');
  const { headers } = await joining.join({ reason: "I mend looms." });
  expect(headers["location"]).toBe("/signup?done=applied");
  expect((await joining.get("/signup?done=applied")).text).toContain("An admin will look at it");
  const application = String((await joining.waiting())[0]?.id);
  await joining.post("/applications", { application, decision: "approve" }, "mara");
  await links();
  expect(joining.server.received.at(-1)?.mail.subject).toBe("Welcome to Inkstone");
  const link = /https:\/\/ink\.example(\/confirm\/\S+)/.exec(
    joining.server.received.at(-1)?.mail.text ?? "",
  )?.[1];
  expect((await joining.post(link ?? "", {})).status).toBe(200);
  expect(await joining.joined()).toEqual([CONFIRMED]);
});

test("links and their emails leave the pages of strangers in the cache", async () => {
  await joining.get("/tags");
  const before = joining.services.cache.moment();
  const link = await linkFor();
  await joining.mode("approval");
  const between = joining.services.cache.moment();
  expect((await joining.finish(link, { reason: "I mend looms." })).status).toBe(303);
  expect(between.writes - before.writes).toBe(2);
  expect(joining.services.cache.moment().writes).toBe(between.writes);
});

test("a link judges the mode anew: closed and invite refuse, approval makes an application", async () => {
  const link = await linkFor();
  for (const mode of ["closed", "invite"] as const) {
    await joining.mode(mode);
    expect((await joining.finish(link)).status).toBe(403);
  }
  expect(await joining.joined()).toEqual([]);
  await joining.mode("approval");
  expect((await joining.get(link)).text).toContain("Why do you want to join?");
  expect((await joining.finish(link, { reason: "I mend looms." })).status).toBe(303);
  expect((await signIn("mo")).status).toBe(422);
  expect(await joining.waiting()).toMatchObject([{ state: "applied" }]);
});
