import { beforeAll, beforeEach, expect, test } from "vitest";
import { at, joiningForEach } from "../../../test/accounts.ts";
import { localServer, type Received } from "../../../test/mail-server.ts";
import { list } from "../../community/notifications/notifications.ts";

const joining = joiningForEach("approval", { hasMail: true });
beforeAll(async () => {
  for (const username of ["lena", "mara"]) {
    const email = `${username}@example.com`;
    await joining.db.updateTable("users").set({ email }).where("username", "=", username).execute();
  }
});
beforeEach(() => joining.db.deleteFrom("notifications").execute());

const subject = ({ to: [address], mail }: Received) => `${address}: ${mail.subject}`;

/** The recipients and subjects of the mails that are due. */
async function sent(): Promise<string[]> {
  const before = joining.server.received.length;
  await joining.mailing.send({ server: localServer(joining.server.port) });
  return joining.server.received.slice(before).map(subject);
}

const linkIn = (received: Received | undefined) =>
  /https:\/\/ink\.example(\/[\w/-]+)\n/.exec(received?.mail.text ?? "")?.[1] ?? "";

let people = 0;

/** Returns the number of the application. */
async function apply(): Promise<number> {
  const username = `mo_${++people}`;
  const email = `${username}@example.com`;
  joining.context.config.rateLimits = false;
  await joining.join({ username, email, reason: "I mend looms.", shown: "0" });
  joining.context.config.rateLimits = true;
  return (await joining.waiting()).find((one) => one.email === email)?.id ?? 0;
}

const noticesOf = async (username: string) => {
  const { id } = await joining.db
    .selectFrom("users")
    .select("id")
    .where("username", "=", username)
    .executeTakeFirstOrThrow();
  return (await list(joining.db, id, 10)).map(({ notice }) => notice);
};

test("admins have one notification and one mail an hour", async () => {
  await apply();
  expect(await sent()).toEqual(["lena@example.com: 1 application to join Inkstone"]);
  await apply();
  await apply();
  joining.setNow(at(59));
  await apply();
  expect(await sent()).toEqual([]);
  expect([await noticesOf("lena"), await noticesOf("mara")]).toEqual([["A person asks to join"], []]);
  joining.setNow(at(60));
  expect(await sent()).toEqual(["lena@example.com: 4 applications to join Inkstone"]);
  expect(joining.server.received.at(-1)?.mail.text).toContain(
    "4 applications to join Inkstone wait for an admin",
  );
  await apply();
  expect(await noticesOf("lena")).toHaveLength(2);
});

test("a mail that can't reach one admin keeps none from another", async () => {
  const { id: userId } = await joining.user({ username: "mo_admin", role: "admin" });
  await joining.db
    .updateTable("users")
    .set({ email: "mo_admin@example.com" })
    .where("id", "=", userId)
    .execute();
  joining.server.answerWith((to) => (to === "mo_admin@example.com" ? [451, "4.2.2 Full"] : undefined));
  await apply();
  expect(await sent()).toEqual(["lena@example.com: 1 application to join Inkstone"]);
  joining.setNow(at(60));
  await apply();
  expect(await sent()).toEqual(["lena@example.com: 2 applications to join Inkstone"]);
  joining.server.answerWith(() => undefined);
  joining.setNow(at(90));
  expect(await sent()).toEqual(["mo_admin@example.com: 2 applications to join Inkstone"]);
});

test("people who apply at once make one mail; none is sent once all are decided", async () => {
  joining.context.config.mail = undefined;
  joining.context.config.rateLimits = false;
  const all = Array.from({ length: 10 }, (_, index) =>
    joining.join({ username: `mo_at_once_${index}`, reason: "I mend looms." }),
  );
  await Promise.all(all);
  joining.context.config.rateLimits = true;
  expect((await joining.mailing.mails()).map(({ kind, user }) => [kind, user])).toEqual([
    ["applications_waiting", "lena"],
  ]);
  await joining.db.deleteFrom("sign_ups").execute();
  expect(await sent()).toEqual([]);
});

test("an applicant learns of the decision, with its reason", async () => {
  const [first, second] = [await apply(), await apply()];
  await sent();
  await joining.post("/applications", { application: String(first), decision: "approve" }, "mara");
  const decline_reason = "We are full.";
  const declined = { application: String(second), decision: "decline", decline_reason };
  await joining.post("/applications", declined, "mara");
  expect(await sent()).toEqual([
    `mo_${people - 1}@example.com: Welcome to Inkstone`,
    `mo_${people}@example.com: Your application to join Inkstone`,
  ]);
  expect(joining.server.received.at(-1)?.mail.text).toContain("The reason: We are full.");
});

test("an invitation for an address goes to it by mail, and its link is shown to nobody else", async () => {
  await joining.mode("invite");
  const invite = (values: Record<string, string>) => joining.post("/settings/invitations", values, "lena");
  const { status, headers } = await invite({ email: "mo@example.com", note: "Bring your loom." });
  expect([status, headers["location"]]).toEqual([303, "/settings/invitations?done=invited"]);
  expect(await sent()).toEqual(["mo@example.com: @lena invites you to Inkstone"]);
  const link = linkIn(joining.server.received[0]);
  expect((await joining.get(link)).text).toContain('value="mo@example.com"');
  expect(JSON.stringify(await joining.mailing.mails())).not.toContain(link.split("/").at(-1));
  for (let mail = 0; mail < 4; mail++) await invite({ email: "mo@example.com" });
  const refused = await invite({ email: "mo@example.com" });
  expect([refused.status, refused.text.includes("too many emails to this address")]).toEqual([429, true]);
  expect((await invite({})).text).toContain("https://ink.example/invite/");
});

test("a form that is sent twice makes one invitation", async () => {
  await joining.mode("invite");
  const form_token = "A".repeat(22);
  const { text } = await joining.post("/settings/invitations", { form_token }, "lena");
  expect(text).toContain("https://ink.example/invite/");
  const { headers } = await joining.post("/settings/invitations", { form_token }, "lena");
  expect(headers["location"]).toBe("/settings/invitations?done=link");
  expect(await joining.db.selectFrom("invitations").select("id").execute()).toHaveLength(1);
});

test("a network asks for 20 mails in an hour, whatever their kinds", async () => {
  await joining.mode("invite");
  const invite = (email: string) => joining.post("/settings/invitations", { email }, "lena");
  for (let mail = 0; mail < 20; mail++) expect((await invite(`mo_${mail}@example.com`)).status).toBe(303);
  const refused = await invite("mo_20@example.com");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "3600"]);
  expect(refused.text).toContain("There were too many emails from your network. Try again in 60 minutes.");
  joining.setNow(at(60));
  expect((await invite("mo_20@example.com")).status).toBe(303);
});
