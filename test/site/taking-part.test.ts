import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import * as passwords from "../../src/community/users/passwords.ts";
import { hashPassword } from "../../src/community/users/password-hash.ts";
import { expectReadable, siteForAll } from "../site.ts";

const site = siteForAll();
const PASSWORD = "a heron over still water";
const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";
const VIEWS = process.env["VIEWS"];

beforeAll(async () => {
  const hash = await hashPassword(PASSWORD);
  await site.world.db.updateTable("users").set({ password_hash: hash }).execute();
});

async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or e-mail address").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

describe.each([
  ["with JavaScript", 1280],
  ["without JavaScript", 360],
] as const)("a member %s, %i px wide", (scripts, width) => {
  const options = { javaScriptEnabled: scripts === "with JavaScript", viewport: { width, height: 800 } };

  test("presses a heart as a stranger and is back with it pressed", async () => {
    const { page, faults } = await site.open(ARTICLE, options);
    page.setDefaultTimeout(15_000);
    const like = page.locator("main > article > .acts").getByRole("button", { name: /^Like/ });
    expect(await like.getAttribute("aria-pressed")).toBe("false");
    await like.click();
    await signIn(page, "ines_carvalho");
    await page.waitForURL(site.origin + ARTICLE);
    expect(await like.getAttribute("aria-pressed")).toBe("true");
    if (VIEWS) await page.screenshot({ path: `${VIEWS}/article-${width}.png`, fullPage: true });
    await like.click();
    await page.locator('main > article > .acts button[aria-pressed="false"][title=Like]').waitFor();
    await page.getByRole("button", { name: "Follow Mara" }).click();
    await page.locator('button[aria-pressed="true"]', { hasText: "Follow Mara" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator('button[aria-pressed="true"]', { hasText: "Save" }).waitFor();

    await page.getByLabel("Your comment").fill("Written *here*");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.waitForURL(/#comment-/);
    const comment = page.locator(".comment", { hasText: "Written here" });
    await comment.getByRole("link", { name: "Reply" }).click();
    await page.getByLabel(/Your reply|Reply to/).fill("A reply");
    await page.getByRole("button", { name: "Reply", exact: true }).click();
    await page.locator(".comment", { hasText: "A reply" }).waitFor();
    await comment.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Your comment").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Body markdown can't be blank").waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    await page.getByLabel("Your comment").fill("Changed");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/#comment-/);
    const changed = page.locator(".comment", { hasText: "Changed" });
    if (VIEWS) await page.screenshot({ path: `${VIEWS}/comments-${width}.png`, fullPage: true });
    await changed.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("This comment was deleted.").first().waitFor();
    for (const path of ["/reading-list", "/following", "/?tab=following"]) {
      await page.goto(site.origin + path);
      if (VIEWS)
        await page.screenshot({
          path: `${VIEWS}/${path.replaceAll(/\W/g, "")}-${width}.png`,
          fullPage: true,
        });
      await expectReadable(page, { few: 1 });
    }
    expect(faults).toEqual([]);
  });
});
