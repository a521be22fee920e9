import { expect, test } from "vitest";
import * as settings from "../../src/platform/settings/settings.ts";
import { siteForAll } from "../site.ts";

const site = siteForAll();

async function openForm(options = {}) {
  await settings.set(site.world.db, "registration", "open");
  return site.open("/signup", options);
}

test("the form says that a username is taken while a reader types, and keeps the focus", async () => {
  const { page, faults } = await openForm();
  const field = page.getByLabel("Username");
  const fault = page.locator("#username-fault");
  expect(await fault.getAttribute("aria-live")).toBe("polite");
  await field.pressSequentially("vera_sokolova");
  await fault.getByText("Username has already been taken").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await field.getAttribute("aria-describedby")).toBe("username-hint username-fault");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("username");
  await field.pressSequentially("_2");
  await page.locator("#username:not([aria-invalid])").waitFor();
  expect(await fault.textContent()).toBe("");
  expect(await page.locator(".faulty").count()).toBe(0);
  expect(faults).toEqual([]);
});

test("an answer about an older name is left out, and a failure shows nothing", async () => {
  const { page } = await openForm();
  const asked: string[] = [];
  const answered: string[] = [];
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/signup/name?*", async (route) => {
    const username = new URL(route.request().url()).searchParams.get("username") ?? "";
    asked.push(username);
    if (username === "older") await held;
    if (username === "broken") return route.abort();
    await route.fulfill({ json: { fault: `Username ${username}` } }).catch(() => undefined);
    answered.push(username);
  });
  const field = page.getByLabel("Username");
  await field.fill("older");
  await expect.poll(() => asked).toEqual(["older"]);
  await field.fill("newer");
  const fault = page.locator("#username-fault");
  await fault.getByText("Username newer").waitFor();
  release?.();
  await expect.poll(() => answered).toEqual(["newer", "older"]);
  // Longer than the page takes to show an answer.
  await page.waitForTimeout(200);
  expect(await fault.textContent()).toBe("Username newer");
  await field.fill("broken");
  await expect.poll(() => fault.textContent()).toBe("");
  expect(asked).toEqual(["older", "newer", "broken"]);
});

test("a form that comes back with a fault goes on judging the name", async () => {
  const { page } = await openForm();
  await page.getByLabel("Username").fill("admin");
  // A program would have sent it at once.
  await page.locator("[name=shown]").evaluate((shown) => shown.setAttribute("value", "0"));
  await page.getByRole("button", { name: "Join" }).click();
  const fault = page.locator("#username-fault");
  await page.getByText("There is a problem").waitFor();
  expect(await fault.textContent()).toContain("is reserved");
  await page.getByLabel("Username").fill("mo_ito");
  await page.locator("#username:not([aria-invalid])").waitFor();
  expect(await fault.textContent()).toBe("");
});

test("without JavaScript the place of the fault is empty, and takes no room", async () => {
  const { page } = await openForm({ javaScriptEnabled: false });
  const fault = page.locator("#username-fault");
  expect(await fault.textContent()).toBe("");
  expect(await fault.evaluate((place) => getComputedStyle(place).margin)).toBe("0px");
  expect((await fault.boundingBox())?.height).toBe(0);
});
