import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import * as choices from "../../src/mail/choices.ts";
import { enqueue } from "../../src/mail/queue.ts";
import { expectReadable, joiningSite } from "../site.ts";

const site = joiningSite();

/** Chromium's words for the status of a page of an error. */
const REFUSED = "Failed to load resource: the server responded with a status";
const others = (faults: string[]) => faults.filter((fault) => !fault.startsWith(REFUSED));

let turn = 0;

/** The page that is shown says this, is accessible and fits every width. */
async function expectState(page: Page, words: string): Promise<void> {
  await page.locator("main").getByText(words).first().waitFor();
  await expectReadable(page, { few: 1, turn: turn++ });
}

async function expectAt(page: Page, path: string, words: string): Promise<void> {
  await page.goto(path.startsWith("/") ? site.origin + path : path);
  await expectState(page, words);
}

test("pages of sign-up are readable in each mode, and with faults", async () => {
  await site.begin("open", { hasMail: false });
  const { page, faults } = await site.open("/signup");
  await expectState(page, "By joining, you agree");
  await site.join(page, { username: "no name", email: "nowhere" });
  await expectState(page, "There is a problem");
  await site.begin("approval", { hasMail: false });
  await expectAt(page, "/signup", "Why do you want to join?");
  await site.join(page, { username: "mo", email: "mo@example.com", reason: "I mend looms. ".repeat(40) });
  await expectState(page, "An admin will look at it");
  const admin = await site.openAsAdmin("/applications");
  await expectState(admin, "I mend looms.");
  await admin.getByRole("button", { name: "Decide" }).click();
  await expectState(admin, "Decision must be one of those offered");
  await admin.getByLabel("Decline").check();
  await admin.getByRole("button", { name: "Decide" }).click();
  await expectState(admin, "No applications");
  await site.begin("invite", { hasMail: false });
  await expectAt(page, "/signup", "Joining needs an invitation");
  await site.begin("closed", { hasMail: false });
  await expectAt(page, "/signup", "Nobody can join at present");
  expect(others(faults)).toEqual([]);
});

test("pages of an address and its link are readable", async () => {
  await site.begin("open", { hasMail: true });
  const { page, faults } = await site.open("/signup");
  const email = `${"long-address".repeat(5)}@${"sub.".repeat(30)}example.com`;
  await expectState(page, "We send a link there");
  await site.askForLink(page, "nowhere");
  await expectState(page, "There is a problem");
  await site.askForLink(page, email);
  await expectState(page, "We sent a link to your address");
  const link = await site.linkTo(email);
  await expectAt(page, link, "Your address is");
  await expectAt(page, `${site.origin}/signup/unknown`, "works for 48 hours");
  await expectAt(page, `${site.origin}/confirm/unknown`, "works once, within 48 hours");
  await site.begin("closed", { hasMail: true });
  await expectAt(page, link, "Nobody can join at present");
  expect(others(faults)).toEqual([]);
});

test("pages of invitations are readable", async () => {
  await site.begin("invite", { hasMail: false });
  const admin = await site.openAsAdmin("/settings/invitations");
  await expectState(admin, "You have invited nobody yet.");
  await admin.getByLabel("For which e-mail address?").fill(`${"mo".repeat(30)}@example.com`);
  await admin.getByLabel("A word to them").fill("Bring your loom.");
  await admin.getByRole("button", { name: "Make a link" }).click();
  await expectState(admin, "shown only once");
  const link = (await admin.locator("pre code").textContent()) ?? "";
  await expectAt(admin, "/settings/invitations", "not used yet");
  const { page, faults } = await site.open("/");
  await expectAt(page, link, "Lena Ortiz invites you.");
  await admin.getByRole("button", { name: "Revoke" }).click();
  await expectState(admin, "The invitation is revoked.");
  await expectAt(page, link, "This invitation was revoked.");
  expect(others(faults)).toEqual([]);
});

test("pages of help with signing in are readable", async () => {
  await site.begin("invite", { hasMail: false });
  const { page, faults } = await site.open("/reset");
  await expectState(page, "This site sends no emails.");
  await site.begin("invite", { hasMail: true });
  await expectAt(page, "/reset", "It signs you in without your password");
  await page.getByLabel("Username or e-mail address").fill("lena");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expectState(page, "an email is on its way");
  expect(others(faults)).toEqual([]);
});

test("pages about mails are readable", async () => {
  await site.begin("invite", { hasMail: true });
  const admin = await site.openAsAdmin("/settings/notifications");
  await expectState(admin, "You have no e-mail address here");
  await site.world.db.updateTable("users").set({ email: "lena@example.com" }).execute();
  site.mailServer.answerWith(() => [550, `5.1.1 <lena@example.com>: ${"no-such-mailbox".repeat(9)}`]);
  await enqueue(site.world.db, { kind: "password_changed", userId: site.lena, about: {} }, site.now);
  await site.linkTo("lena@example.com");
  await expectAt(admin, "/settings/notifications", "The last email to it couldn’t be delivered");
  const kind = "webhook_disabled";
  const token = await choices.createLink(site.world.db, { userId: site.lena, kind }, site.now);
  const { page, faults } = await site.open(`/unsubscribe/${token}`);
  await expectState(page, "You get an email when");
  await page.getByRole("button", { name: "Turn these emails off" }).click();
  await expectState(page, "You get no email any more");
  await expectAt(page, "/unsubscribe/unknown", "This link doesn’t work");
  expect(others(faults)).toEqual([]);
});

test("pages about an address are readable", async () => {
  await site.begin("invite", { hasMail: false });
  await site.world.db.updateTable("users").set({ email: null }).execute();
  site.mailServer.answerWith(() => undefined);
  const admin = await site.openAsAdmin("/settings/account");
  await expectState(admin, "You have no confirmed address");
  await site.begin("invite", { hasMail: true });
  const address = `${"lena-".repeat(12)}@example.com`;
  await admin.goto(`${site.origin}/settings/account`);
  await admin.getByLabel("New e-mail address").fill(address);
  await admin.getByRole("button", { name: "Save" }).click();
  await expectState(admin, "is not confirmed");
  const { page, faults } = await site.open("/");
  await expectAt(page, await site.linkTo(address), "Confirm your address");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expectState(page, "The address is confirmed");
  await admin.getByLabel("New e-mail address").fill("nowhere");
  await admin.getByRole("button", { name: "Save" }).click();
  await expectState(admin, "There is a problem");
  await expectAt(admin, "/settings/account", "is confirmed");
  expect(others(faults)).toEqual([]);
});
