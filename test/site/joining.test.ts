import { describe, expect, test } from "vitest";
import { joiningSite, PASSWORD, READERS, paste, tabTo } from "../site.ts";
import { codeAt } from "../accounts.ts";

const site = joiningSite();
const MENU = "summary[aria-label='Menu of Mo Ito']";

describe.each(READERS)("a stranger $scripts, $width px wide, $colorScheme", ({ options, width }) => {
  const who = `mo_${options.javaScriptEnabled ? "js" : "html"}_${width}`;

  test("joins by the link in an email to their address, and comes to where they wanted to be", async () => {
    await site.begin("open", { hasMail: true });
    const { page, faults } = await site.open("/signup?next=/tags", options);
    await site.askForLink(page, "nowhere");
    await page.getByRole("link", { name: /E-mail address must be an address/ }).waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    await paste(page.getByLabel("E-mail address"), `${who}@example.com`);
    await site.askForLink(page, `${who}@example.com`);
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await page.goto(await site.linkTo(`${who}@example.com`));
    await page.getByText(`Your address is ${who}@example.com`).waitFor();
    await site.join(page, { username: "lena" });
    await page.getByRole("link", { name: "Username has already been taken" }).waitFor();
    await site.join(page, { username: who });
    await page.waitForURL(`${site.origin}/tags`);
    await page.locator(MENU).waitFor();
    expect(faults.filter((fault) => !/422/.test(fault))).toEqual([]);
  });

  test("asks to join, and signs in once an admin has let them in", async () => {
    await site.begin("approval", { hasMail: true });
    const username = `${who}_asks`;
    const email = `${username}@example.com`;
    const { page } = await site.open("/", options);
    await page.getByRole("link", { name: "Join", exact: true }).click();
    await site.join(page, { username, email, reason: "I mend looms." });
    await page.getByRole("heading", { name: "An admin will look at it" }).waitFor();
    const admin = await site.openAsAdmin("/applications");
    await admin.getByText("I mend looms.").waitFor();
    await admin.getByLabel("Let in").check();
    await admin.getByRole("button", { name: "Decide" }).click();
    await admin.getByText("Decided.").waitFor();
    await admin.getByText("No applications").waitFor();
    await page.goto(await site.linkTo(email));
    await page.getByLabel("Username or e-mail address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator(MENU).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
  });
});

test("a link that an admin makes lets one person in, who is signed in at once without mail", async () => {
  await site.begin("invite", { hasMail: false });
  const admin = await site.openAsAdmin("/settings/invitations");
  await admin.getByLabel("For which e-mail address?").fill("mo_invited@example.com");
  await admin.getByLabel("A word to them").fill("Bring your loom.");
  await admin.getByRole("button", { name: "Make a link" }).click();
  await admin.getByText("shown only once").waitFor();
  const link = (await admin.locator("pre code").textContent()) ?? "";
  const { page, faults } = await site.open("/signup", { viewport: { width: 360, height: 800 } });
  await page.getByRole("heading", { name: "Joining needs an invitation" }).waitFor();
  await page.goto(link);
  await page.getByText("Lena Ortiz invites you. Bring your loom.").waitFor();
  expect(await page.getByLabel("E-mail address").inputValue()).toBe("mo_invited@example.com");
  await site.join(page, { username: "mo_invited" });
  await page.waitForURL(`${site.origin}/?tab=following`);
  await page.locator(MENU).waitFor();
  await admin.getByRole("link", { name: "Done" }).click();
  await admin.getByRole("link", { name: "@mo_invited" }).waitFor();
  expect(faults).toEqual([]);
  const { page: second } = await site.open("/");
  await second.goto(link);
  await second.getByText("This invitation was used already.").waitFor();
});

test("a stranger joins and turns a second factor on by keyboard alone, without JavaScript", async () => {
  await site.begin("open", { hasMail: false });
  const { page } = await site.open("/", { javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
  const { keyboard } = page;
  await tabTo(page.getByRole("link", { name: "Join", exact: true }));
  await keyboard.press("Enter");
  await page.waitForURL(`${site.origin}/signup`);
  await tabTo(page.getByLabel("Your name"));
  for (const text of ["Mo Ito", "mo_keys", "mo_keys@example.com", PASSWORD]) {
    await keyboard.type(text);
    await keyboard.press("Tab");
  }
  // The code of conduct stands before the button.
  await keyboard.press("Tab");
  site.later(5);
  await keyboard.press("Enter");
  await page.waitForURL(`${site.origin}/?tab=following`);
  for (const element of [page.locator(MENU), page.getByRole("link", { name: "Settings" })]) {
    await tabTo(element);
    await keyboard.press("Enter");
  }
  await tabTo(page.getByRole("link", { name: "Second factor" }));
  await keyboard.press("Enter");
  await page.waitForURL(`${site.origin}/settings/two-factor`);
  const secret = ((await page.locator("pre code").textContent()) ?? "").replaceAll(" ", "");
  await tabTo(page.getByLabel("Code", { exact: true }));
  await keyboard.type(codeAt(secret, site.now));
  await keyboard.press("Enter");
  await page.getByText("shown only once").waitFor();
  expect((await page.locator("pre code").textContent())?.split("\n")).toHaveLength(10);
});
