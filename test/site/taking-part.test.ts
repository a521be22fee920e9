import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { fanOut } from "../../src/community/notifications/notifications.ts";
import { hashPassword } from "../../src/community/users/password-hash.ts";
import { expectReadable, PASSWORD, siteForAll } from "../site.ts";

const site = siteForAll();
const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";

beforeAll(async () => {
  const password_hash = await hashPassword(PASSWORD);
  await site.world.db.updateTable("users").set({ password_hash }).execute();
  await site.world.db.deleteFrom("follows").execute();
  await site.world.db.deleteFrom("reactions").execute();
});

async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or e-mail address").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const pressed = (page: Page, name: string, isPressed = true) =>
  page
    .locator(`main > article :not(.comment) > button[aria-pressed="${isPressed}"]`, { hasText: name })
    .first();

/** The browser reports each refusal. */
const surprising = (faults: string[]) => faults.filter((fault) => !/status of 4(?:01|22)/.test(fault));

describe.each([
  ["with JavaScript", 1280, "ines_carvalho"],
  ["without JavaScript", 360, "chloe_lefevre"],
] as const)("a member %s, %i px wide", (scripts, width, username) => {
  const options = { javaScriptEnabled: scripts === "with JavaScript", viewport: { width, height: 800 } };

  test("presses a heart as a stranger, signs in, and is back with it pressed; saves and follows", async () => {
    const { page, faults } = await site.open(ARTICLE, options);
    await pressed(page, "Like", false).click();
    await signIn(page, username);
    await pressed(page, "Like").waitFor();
    await page.goto(`${site.origin}/?tab=following`);
    await page.getByText("Follow tags and people").waitFor();
    if (options.javaScriptEnabled) await expectReadable(page, { few: 1 });
    await page.setViewportSize(options.viewport);
    await page.goto(site.origin + ARTICLE);
    await pressed(page, "Like").press("Enter");
    await pressed(page, "Like", false).waitFor();
    for (const name of ["Follow Mara", "Save"]) {
      await pressed(page, name, false).press("Enter");
      await pressed(page, name).waitFor();
    }
    await page.goto(`${site.origin}/t/gardening`);
    await page.getByRole("button", { name: "Follow gardening" }).click();
    await page.locator('button[aria-pressed="true"]').waitFor();
    for (const [path, text] of [
      ["/reading-list", "Everything Markdown can do here"],
      ["/following?tab=tags", "#gardening"],
      ["/following", "Mara Lindqvist"],
      ["/?tab=following", "Everything Markdown can do here"],
    ] as const) {
      await page.goto(site.origin + path);
      await page.locator("main").getByText(text).first().waitFor();
      if (options.javaScriptEnabled) await expectReadable(page, { few: 1 });
    }
    expect(surprising(faults)).toEqual([]);
  });

  test("writes a comment, replies, edits, deletes and is told of a reply", async () => {
    const { page, faults } = await site.open(`/signin?next=${ARTICLE}`, options);
    await signIn(page, username);
    await page.getByLabel("Your comment").fill(`Written by *${username}*`);
    if (options.javaScriptEnabled) {
      await page.reload();
      expect(await page.getByLabel("Your comment").inputValue()).toBe(`Written by *${username}*`);
    }
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.waitForURL(/#comment-/);
    expect(await page.getByLabel("Your comment").inputValue()).toBe("");
    const comment = page.locator(".comment", { hasText: `Written by ${username}` });
    await comment.getByRole("link", { name: "Reply" }).click();
    await page.getByLabel(/Your reply|Reply to/).fill(`An answer by ${username}`);
    await page.getByRole("button", { name: "Reply", exact: true }).click();
    await page.locator(".comment", { hasText: `An answer by ${username}` }).waitFor();
    if (options.javaScriptEnabled) await expectReadable(page, { few: 1 });
    await page.setViewportSize(options.viewport);

    await comment.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Your comment").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your comment can't be blank").first().waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    if (options.javaScriptEnabled) await expectReadable(page, { few: 1, turn: 1 });
    await page.setViewportSize(options.viewport);
    await page.getByLabel("Your comment").fill(`Changed by ${username}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/#comment-/);
    const changed = page.locator(".comment", { hasText: `Changed by ${username}` });
    const reply = await site.open(
      `/signin?next=${await changed.getByRole("link", { name: "Reply" }).getAttribute("href")}`,
    );
    await signIn(reply.page, "mara_lindqvist");
    await reply.page.getByLabel("Reply to").fill("I agree");
    await reply.page.getByRole("button", { name: "Reply", exact: true }).click();
    await reply.page.waitForURL(/#comment-/);
    await fanOut(site.world.db, new Date());
    await page.reload();
    await page.getByRole("link", { name: "Notifications, 1 unread" }).click();
    await page.getByRole("link", { name: /Mara Lindqvist replied to your comment/ }).click();
    await page.waitForURL(/#comment-/);
    await changed.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete" }).waitFor();
    if (options.javaScriptEnabled) await expectReadable(page, { few: 1, turn: 1 });
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("This comment was deleted.").first().waitFor();
    expect(await changed.count()).toBe(0);
    expect(surprising(faults)).toEqual([]);
  });
});
