import { expect, test } from "vitest";
import * as links from "../../src/community/users/one-time-links.ts";
import { expectReadable, siteForAll } from "../site.ts";

const site = siteForAll({ demo: false, isNew: true });

test("a new site is set up by keyboard alone on a phone, without JavaScript", async () => {
  const token = await links.create(site.world.db, null, new Date());
  const { page } = await site.open("/", {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 800 },
  });
  await page.getByRole("heading", { name: "This site is being set up" }).waitFor();
  await page.goto(`${site.origin}/setup/${token}`);
  await page.getByLabel("Name of the community").focus();
  const { keyboard } = page;
  for (const text of ["Tinker Lab", "People who mend things."]) {
    await keyboard.type(text);
    await keyboard.press("Tab");
  }
  // From invitations to nobody.
  await keyboard.press("ArrowDown");
  for (const text of ["Lena Ortiz", "lena", "lena@example.com", " ", "short"]) {
    await keyboard.press("Tab");
    await keyboard.type(text);
  }
  await keyboard.press("Enter");
  await page.getByRole("link", { name: "Password is too short (minimum is 8 characters)" }).waitFor();
  expect(await page.title()).toMatch(/^Error: Set up this site/);
  expect(await page.getByLabel("Nobody").isChecked()).toBe(true);
  expect(await page.getByLabel("Your username").inputValue()).toBe("lena");
  expect(await page.getByLabel("Show everyone this address").isChecked()).toBe(true);
  await page.getByLabel("Password", { exact: true }).focus();
  await keyboard.type("a heron over still water");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "What is left to do" }).waitFor();
  await page.goto(site.origin);
  await page.getByRole("link", { name: "Tinker Lab" }).first().waitFor();
  await page.locator("summary[aria-label='Menu of Lena Ortiz']").press("Enter");
  await page.getByRole("link", { name: "Settings" }).press("Enter");
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  const [admin] = await site.world.db.selectFrom("users").select(["username", "role"]).execute();
  expect(admin).toEqual({ username: "lena", role: "admin" });
});

test("the pages of the first run are readable in every width and theme", async () => {
  await site.world.superuser.deleteFrom("users").execute();
  const token = await links.create(site.world.db, null, new Date());
  const { page, faults } = await site.open(`/setup/${token}`);
  await expectReadable(page, { few: 2 });
  await page.getByLabel("Your name").fill("Lena Ortiz");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByText("There is a problem").waitFor();
  await expectReadable(page, { few: 1 });
  expect(faults.filter((fault) => !fault.includes("422"))).toEqual([]);
  await page.goto(`${site.origin}/setup/wrong`);
  await page.getByText("Page not found").waitFor();
});
