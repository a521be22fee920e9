import { describe, expect, test } from "vitest";
import { exportOf } from "../../../test/community-file.ts";
import { at, MO, NOW, PASSWORD, joiningForEach } from "../../../test/accounts.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as invitations from "../../community/users/invitations.ts";

const joining = joiningForEach("open");

describe("where everyone may join", () => {
  test("a stranger has an account, is signed in and is where they wanted to be", async () => {
    expect((await joining.get("/signup?next=/tags")).text).toContain('name="next" value="/tags"');
    const { status, headers } = await joining.join({ next: "/tags" });
    expect([status, headers["location"]]).toEqual([303, "/tags"]);
    const cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
    const { text } = await joining.request({ url: "/settings/profile", headers: { cookie } });
    expect(text).toContain('value="Mo Ito"');
    expect(await joining.joined()).toEqual([MO]);
  });

  test("an address may be another's: it signs nobody in, and no answer or export has it", async () => {
    await joining.join();
    expect((await joining.join({ username: "mo_2" })).status).toBe(303);
    const password = PASSWORD;
    expect((await joining.post("/signin", { login: "mo@example.com", password })).status).toBe(422);
    expect((await joining.post("/signin", { login: "mo", password })).status).toBe(303);
    expect((await joining.get("/mo")).text).not.toContain("mo@example.com");
    expect((await joining.get("/api/users/by_username?url=mo")).text).not.toContain("mo@example.com");
    const exported = await exportOf(joining.db, { withSecrets: true });
    expect(exported).toContain('"mo_2"');
    expect(exported).not.toContain("mo@example.com");
  });

  test.each([
    [{ username: "lena" }, "Username has already been taken"],
    [{ username: "admin" }, "is reserved: choose another"],
    [{ username: "m o" }, "Username must have 2 to 30 characters"],
    [{ name: " " }, "Your name can’t be blank"],
    [{ email: "" }, "E-mail address must be an address such as"],
    [{ email: "nowhere" }, "E-mail address must be an address such as"],
    [{ password: "short" }, "Password is too short"],
    [{ password: "mo@example.com" }, "Password must not be your e-mail address"],
  ])("a form with %j is shown again with its fault", async (wrong, sentence) => {
    const { status, text } = await joining.join(wrong);
    expect([status, text.replaceAll("&#39;", "’").replaceAll("can't", "can’t").includes(sentence)]).toEqual([
      422,
      true,
    ]);
    expect(text).not.toContain('value="a heron');
    expect(await joining.joined()).toEqual([]);
  });

  test.each([{ website: "x" }, { shown: String(NOW.getTime() - 1_999) }, { shown: "" }, { shown: "soon" }])(
    "a program that sends %j is refused, and nothing is stored",
    async (sent) => {
      const { status, headers, text } = await joining.join(sent);
      expect([status, headers["set-cookie"]]).toEqual([422, undefined]);
      expect(text).toContain("wait a moment, and send it again");
      expect(await joining.joined()).toEqual([]);
    },
  );

  test("a network signs up 5 times in 30 minutes, however many come at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => joining.join({ username: `mo_${index}` })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
    const { status, headers, text } = answers.find((answer) => answer.status !== 303) ?? {};
    expect([status, headers?.["retry-after"]]).toEqual([429, "1800"]);
    expect(text).toContain("There were too many sign-ups from your network. Try again in 30 minutes.");
    joining.setNow(at(30));
    expect((await joining.join({ username: "mo_9", shown: "0" })).status).toBe(303);
  });

  test("of 7 sign-ups at once 5 pass, in whatever order their times arrive", async () => {
    const statuses = [];
    for (let index = 0; index < 7; index++) {
      joining.setNow(new Date(NOW.getTime() - index));
      statuses.push((await joining.join({ username: `mo_${index}` })).status);
    }
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429]);
  });

  test("who is signed in needs no form", async () => {
    for (const answer of [await joining.get("/signup", "ada"), await joining.post("/signup", {}, "ada")])
      expect([answer.status, answer.headers["location"]]).toEqual([303, "/"]);
  });
});

test("the header leads there where strangers may join by themselves", async () => {
  for (const [registration, isThere] of [
    ["open", true],
    ["approval", true],
    ["invite", false],
    ["closed", false],
  ] as const) {
    await joining.mode(registration);
    expect([registration, (await joining.get("/")).text.includes('href="/signup"')]).toEqual([
      registration,
      isThere,
    ]);
  }
});

test.each([
  ["invite", "Joining needs an invitation"],
  ["closed", "Nobody can join at present"],
] as const)("in the mode %s an old form makes no account", async (registration, title) => {
  await joining.mode(registration);
  expect((await joining.get("/signup")).text).toContain(title);
  const { status, text } = await joining.join({ reason: "I mend looms." });
  expect(status).toBe(403);
  expect(text).toContain(title);
  expect([await joining.joined(), await joining.waiting()]).toEqual([[], []]);
});

test("the secrets of sign-ups stand nowhere in plain text", async () => {
  await joining.join();
  await joining.mode("approval");
  await joining.join({ reason: "I mend looms.", username: "mo_2" });
  const { token } = await invitations.create(
    joining.db,
    { inviter: { id: 1, role: "admin" }, address: null, note: "" },
    { settings: settings.defaults(), now: NOW },
  );
  const rows = [
    await joining.db.selectFrom("users").selectAll().execute(),
    await joining.waiting(),
    await joining.db.selectFrom("invitations").selectAll().execute(),
  ];
  for (const secret of [PASSWORD, token]) expect(JSON.stringify(rows)).not.toContain(secret);
});
