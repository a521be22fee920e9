import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { encode } from "uqr";
import { describe, expect, test } from "vitest";
import { hashPassword } from "../../src/community/users/password-hash.ts";
import * as passwords from "../../src/community/users/passwords.ts";
import * as factors from "../../src/community/users/second-factor.ts";
import * as sessions from "../../src/community/users/sessions.ts";
import { expectReadable, PASSWORD, paste, READERS, siteForAll } from "../site.ts";
import { codeAt } from "../accounts.ts";

const site = siteForAll();
const PATH = "/settings/two-factor";

/** A reader who has the password and no second factor. */
async function readerNamed(username: string): Promise<number> {
  const { db } = site.world;
  const query = db.selectFrom("users").select("id").where("username", "=", username);
  const { id } = await query.executeTakeFirstOrThrow();
  await passwords.store(db, id, await hashPassword(PASSWORD));
  await factors.turnOff(db, id, new Date());
  return id;
}

async function signIn(page: Page, login: string): Promise<void> {
  await page.goto(`${site.origin}/signin?next=${PATH}`);
  await page.getByLabel("Username or e-mail address").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function give(page: Page, code: string, button: string): Promise<void> {
  await paste(page.getByLabel("Code", { exact: true }), code);
  await page.getByRole("button", { name: button, exact: true }).click();
}

const signOut = (page: Page) => page.context().clearCookies();

describe.each(READERS)("a member $scripts, $width px wide, $colorScheme", ({ options }) => {
  test("turns a second factor on, and signs in by the app and by a recovery code", async () => {
    await readerNamed("vera_sokolova");
    const { page, faults } = await site.open("/signin", options);
    await signIn(page, "vera_sokolova");
    await page.waitForURL(site.origin + PATH);
    const secret = ((await page.locator("pre code").textContent()) ?? "").replaceAll(" ", "");
    await give(page, "000000", "Turn it on");
    await page.getByRole("link", { name: "Code is wrong" }).waitFor();
    await give(page, codeAt(secret, new Date()), "Turn it on");
    await page.getByText("shown only once").waitFor();
    const text = (await page.locator("pre code").textContent()) ?? "";
    const codes = text.split("\n");
    expect(codes).toHaveLength(10);
    if (options.javaScriptEnabled) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("recovery-codes.txt");
      expect(await readFile(await download.path(), "utf8")).toBe(`${text}\n`);
      for (const name of ["Copy", "Print"]) await page.getByRole("button", { name, exact: true }).waitFor();
    }
    await page.getByRole("link", { name: "I have stored them" }).click();
    await page.getByText("10 recovery codes left").waitFor();

    await signOut(page);
    await signIn(page, "vera_sokolova");
    await give(page, codeAt(secret, new Date(), -5), "Go on");
    await page.getByRole("link", { name: "Code is wrong" }).waitFor();
    await give(page, codeAt(secret, new Date(), 1).replace(/.../, "$& "), "Go on");
    await page.waitForURL(site.origin + PATH);

    await signOut(page);
    await signIn(page, "vera_sokolova");
    await give(page, codes[3]?.toLowerCase() ?? "", "Go on");
    await page.getByText("You have signed in with a recovery code").waitFor();
    await page.getByText("9 recovery codes left").waitFor();
    await page.getByRole("button", { name: "Turn the second factor off" }).click();
    await page.getByText("The second factor is off.").waitFor();
    expect(faults.filter((fault) => !fault.includes("422"))).toEqual([]);
  });
});

const PX = 4;

/** The modules that a camera sees: whether the middle of each is dark. */
async function shownCode(page: Page): Promise<boolean[][]> {
  const png = await page.getByRole("img", { name: "The secret as a QR code" }).screenshot();
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const middles = Array.from({ length: info.height / PX }, (_, module) => module * PX + PX / 2);
  return middles.map((y) => middles.map((x) => (data[y * info.width + x] ?? 255) < 100));
}

async function wantedCode(page: Page): Promise<boolean[][]> {
  const link = page.getByRole("link", { name: "open the app on this device" });
  return encode((await link.getAttribute("href")) ?? "", { border: 4 }).data;
}

test("its pages are readable in every width and theme", async () => {
  const id = await readerNamed("yusuf_haddad");
  const { page } = await site.open("/signin");
  await signIn(page, "yusuf_haddad");
  await page.waitForURL(site.origin + PATH);
  await expectReadable(page, { few: 2 });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect(await shownCode(page)).toEqual(await wantedCode(page));
  }
  const secret = ((await page.locator("pre code").textContent()) ?? "").replaceAll(" ", "");
  await give(page, codeAt(secret, new Date()), "Turn it on");
  await page.getByText("shown only once").waitFor();
  await expectReadable(page, { few: 2 });
  await page.getByRole("link", { name: "I have stored them" }).click();
  await page.getByText("10 recovery codes left").waitFor();
  await expectReadable(page, { few: 1 });
  await signOut(page);
  await signIn(page, "yusuf_haddad");
  await page.waitForURL(/signin\/code/);
  await expectReadable(page, { few: 2 });
  await give(page, "000000", "Go on");
  await page.getByText("There is a problem").waitFor();
  await expectReadable(page, { few: 1, turn: 1 });
  await sessions.endAll(site.world.db, id);
  await give(page, "000000", "Go on");
  await page.getByText("A code is taken for 10 minutes").first().waitFor();
  await expectReadable(page, { few: 1 });
  expect(await sessions.list(site.world.db, id, new Date())).toEqual([]);
});
