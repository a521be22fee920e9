import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { notifyOfSecurity } from "../../src/community/notifications/notifications.ts";
import { hashPassword } from "../../src/community/users/password-hash.ts";
import * as links from "../../src/community/users/one-time-links.ts";
import * as passwords from "../../src/community/users/passwords.ts";
import { expectReadable, PASSWORD, READERS, siteForAll } from "../site.ts";
import { pngOf } from "../pictures.ts";

const site = siteForAll();

const idOf = async (username: string) => {
  const found = await site.world.db
    .selectFrom("users")
    .select("id")
    .where("username", "=", username)
    .executeTakeFirstOrThrow();
  return found.id;
};

async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel("Username or e-mail address").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("the menu of a member closes by Escape, which gives the focus back, and by a click elsewhere", async () => {
  const token = await links.create(site.world.db, await idOf("ines_carvalho"), new Date());
  const { page, faults } = await site.open(`/signin/link/${token}`);
  await page.getByRole("button", { name: "Sign in as Inês Carvalho" }).click();
  const summary = page.locator("summary[aria-label='Menu of Inês Carvalho']");
  const settings = page.locator(".viewer-menu").getByRole("link", { name: "Settings" });
  await summary.click();
  await settings.focus();
  await page.keyboard.press("Escape");
  await settings.waitFor({ state: "hidden" });
  expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
  await summary.press("Enter");
  await settings.waitFor();
  await page.locator("main").click({ position: { x: 2, y: 2 } });
  await settings.waitFor({ state: "hidden" });
  expect(faults).toEqual([]);
});

describe.each(READERS)("a member $scripts, $width px wide, $colorScheme", ({ options, width }) => {
  test("signs in by a link, chooses a password, and signs out and in again", async () => {
    const id = await idOf("ines_carvalho");
    const token = await links.create(site.world.db, id, new Date());
    const { page, faults } = await site.open(`/signin/link/${token}`, options);
    await page.getByRole("button", { name: "Sign in as Inês Carvalho" }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.goto(`${site.origin}/settings/password`);
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("link", { name: "New password is too short (minimum is 8 characters)" }).waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("Your password is changed").waitFor();
    await page.locator("summary[aria-label='Menu of Inês Carvalho']").click();
    await page.getByRole("link", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, "ines_carvalho", "not this one");
    await page.getByText("Username or password is wrong").first().waitFor();
    await signIn(page, "ines_carvalho", PASSWORD);
    await page.locator("summary[aria-label='Menu of Inês Carvalho']").waitFor();
    expect(faults.filter((fault) => !fault.includes("422"))).toEqual([]);
  });

  test("changes the profile with a picture, and makes and revokes a key", async () => {
    const id = await idOf("mara_lindqvist");
    const token = await links.create(site.world.db, id, new Date());
    const { page, faults } = await site.open(`/signin/link/${token}`, options);
    await page.getByRole("button", { name: /^Sign in as/ }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.goto(`${site.origin}/settings/profile`);
    await page.getByLabel("Location").fill("Malmö");
    const picture = { name: "me.png", mimeType: "image/png", buffer: pngOf(64, 64) };
    await page.getByLabel("Picture", { exact: true }).setInputFiles(picture);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await page.getByLabel("Location").inputValue()).toBe("Malmö");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByLabel("What is it for?").fill(`Blog sync ${width}`);
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByText("It is shown only once").waitFor();
    const key = await page.locator("pre code").first().textContent();
    expect(key).toMatch(/^ink_\w{38}$/);
    await page.getByRole("link", { name: "To your keys" }).click();
    const row = page.locator("li", { hasText: `Blog sync ${width}` });
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The key is revoked.").waitFor();
    expect(faults).toEqual([]);
  });
});

test.each(["127.0.0.1", "localhost"])("a form of a page at another origin of %s is refused", async (host) => {
  const other = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<form method="post" action="${site.origin}/signout"><button>Go</button></form>`);
  }).listen(0, host);
  await once(other, "listening");
  const { page } = await site.open("/tags");
  await page.goto(`http://${host}:${(other.address() as AddressInfo).port}/`);
  await page.getByRole("button", { name: "Go" }).click();
  await page.waitForURL(`${site.origin}/signout`);
  other.close();
  expect(await page.getByRole("heading").first().textContent()).toBe("This form came from another site");
});

test("pages of members are readable in every width and theme", async () => {
  const id = await idOf("mara_lindqvist");
  await passwords.store(site.world.db, id, await hashPassword(PASSWORD));
  const { page } = await site.open("/signin");
  await expectReadable(page, { few: 2 });
  await signIn(page, "mara_lindqvist", "wrong");
  await page.getByText("There is a problem").waitFor();
  await expectReadable(page, { few: 1 });
  await signIn(page, "mara_lindqvist", PASSWORD);
  await page.waitForURL(`${site.origin}/`);
  for (const notice of ["Your password was changed.", "A second factor was turned on."])
    await notifyOfSecurity(site.world.db, { userId: id, text: notice, now: new Date() });
  const paths = ["profile", "account", "password", "two-factor", "sessions", "reading", "keys"].map(
    (name) => `/settings/${name}`,
  );
  for (const [turn, path] of [
    ...paths,
    "/notifications",
    "/reading-list",
    "/following",
    "/signout",
    "/confirm-password",
  ].entries()) {
    await page.goto(site.origin + path);
    await expectReadable(page, { few: 1, turn });
    expect(new URL(page.url()).pathname).toBe(path);
  }
});
