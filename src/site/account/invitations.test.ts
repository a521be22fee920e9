import { expect, test } from "vitest";
import { at, MO, joiningForEach } from "../../../test/accounts.ts";

const joining = joiningForEach("invite");

const PATH = "/settings/invitations";

async function invite(values: Record<string, string> = {}, who = "lena"): Promise<string> {
  const { status, text } = await joining.post(PATH, values, who);
  const token = /https:\/\/ink\.example\/invite\/([\w-]{43})/.exec(text)?.[1];
  expect([status, token]).toEqual([200, expect.any(String)]);
  return token as string;
}

const revoke = async (who: string) => {
  const { id } = await joining.db.selectFrom("invitations").select("id").executeTakeFirstOrThrow();
  return joining.post(PATH, { revoke: String(id) }, who);
};

const join = (invitation: string, more: Record<string, string> = {}) => joining.join({ invitation, ...more });

test("an admin's link lets one person in, who is seen beside it", async () => {
  expect((await joining.get(PATH, "lena")).text).toContain("You have invited nobody yet.");
  const token = await invite({ email: "mo@example.com", note: "Bring your loom." });
  const { text, headers } = await joining.get(`/invite/${token}`);
  expect(headers["referrer-policy"]).toBe("strict-origin");
  for (const part of ["lena Ortiz invites you.", "Bring your loom.", 'value="mo@example.com"'])
    expect(text).toContain(part);
  expect((await join(token)).headers["location"]).toBe("/?tab=following");
  expect(await joining.joined()).toEqual([MO]);
  const list = (await joining.get(PATH, "lena")).text;
  expect(list).toContain('<a href="/mo">@mo</a>');
  expect(list).not.toContain(token);
  expect((await joining.get(`/invite/${token}`)).text).toContain("was used already");
});

test("twenty people who race for one invitation make one account", async () => {
  const token = await invite();
  // Limits of a network would refuse most of them before.
  joining.context.config.rateLimits = false;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => join(token, { username: `mo_${index}` })),
  );
  joining.context.config.rateLimits = true;
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(await joining.joined()).toHaveLength(1);
});

test("an invitation for an address is for that one, in any case", async () => {
  const token = await invite({ email: "mo@example.com" });
  const { status, text } = await join(token, { email: "ada@example.com" });
  expect([status, text.includes("E-mail address must be the one that is invited")]).toEqual([422, true]);
  expect(text).toContain("lena Ortiz invites you.");
  expect((await join(token, { email: "Mo@Example.com" })).status).toBe(303);
});

test("one that is revoked, expired or unknown lets nobody in", async () => {
  const token = await invite();
  expect((await revoke("ada")).text).toContain("There is no such invitation");
  expect((await revoke("lena")).status).toBe(303);
  const late = await invite();
  for (const [dead, why] of [
    [token, "was revoked"],
    [late, "is older than 14 days"],
    ["A".repeat(43), "is unknown"],
    ["x", "is unknown"],
  ] as const) {
    if (dead === late) joining.setNow(at(14 * 1_440));
    const shown = await joining.get(`/invite/${dead}`);
    expect([shown.status, shown.text.includes(`This invitation ${why}.`)]).toEqual([404, true]);
    expect((await join(dead)).status).toBe(403);
  }
  expect(await joining.joined()).toEqual([]);
});

test("a person who is signed in needs none", async () => {
  const token = await invite();
  expect((await joining.get(`/invite/${token}`, "ada")).headers["location"]).toBe("/");
});

test("members invite as many as the setting says, and their invitations end with it", async () => {
  expect((await joining.get(PATH, "ada")).text).toContain("Only admins invite here.");
  expect((await joining.post(PATH, {}, "ada")).text).toContain("You can invite nobody else at present");
  await joining.mode("invite", 2);
  const tokens = [await invite({}, "ada"), await invite({}, "ada")];
  const { text } = await joining.get(PATH, "ada");
  expect(text).toContain("You have made 2 invitations, the most that a member may.");
  expect((await joining.post(PATH, {}, "ada")).status).toBe(422);
  await joining.mode("invite", 1);
  expect((await joining.get(PATH, "ada")).text).toContain("You have made 1 invitation, the most");
  await joining.mode("invite", 2);
  // A revoked one may have gone out by mail.
  await revoke("ada");
  expect((await joining.post(PATH, {}, "ada")).status).toBe(422);
  await joining.mode("invite", 3);
  expect((await joining.get(PATH, "ada")).text).toContain("Invitations that you have left: 1.");
  for (const [registration, most] of [
    ["closed", 2],
    ["invite", 0],
  ] as const) {
    await joining.mode(registration, most);
    for (const token of tokens) expect((await join(token)).status).toBe(403);
  }
  await joining.mode("closed", 2);
  expect((await joining.get(PATH, "ada")).text).toContain("Registration is closed: only admins invite.");
  expect((await join(await invite())).status).toBe(303);
});

test("where people join by themselves, a dead invitation keeps nobody out", async () => {
  await joining.mode("open", 1);
  const token = await invite({}, "ada");
  await joining.mode("open", 0);
  const shown = await joining.get(`/invite/${token}`);
  expect([shown.status, shown.text.includes("This invitation doesn’t count any more.")]).toEqual([404, true]);
  expect(shown.text).toContain('<a href="/signup">join without one</a>');
  expect((await join(token)).status).toBe(303);
  expect(await joining.joined()).toEqual([MO]);
});

test.each([
  [{ note: "Your bank: HTTP://evil.example" }, "A word to them can't have a link"],
  [{ note: "See www.evil.example" }, "A word to them can't have a link"],
  [{ email: "nowhere" }, "For which e-mail address? must be an address such as"],
  [{ note: "x".repeat(301) }, "A word to them is too long (maximum is 300 characters)"],
])("no invitation is made with %j", async (wrong, sentence) => {
  const { status, text } = await joining.post(PATH, wrong, "lena");
  expect([status, text.replaceAll("&#39;", "'").includes(sentence)]).toEqual([422, true]);
});
