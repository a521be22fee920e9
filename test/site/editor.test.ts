import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { hashPassword } from "../../src/community/users/password-hash.ts";
import { pngOf } from "../pictures.ts";
import { expectReadable, PASSWORD, siteForAll } from "../site.ts";

const site = siteForAll();

beforeAll(async () => {
  const password_hash = await hashPassword(PASSWORD);
  await site.world.db.updateTable("users").set({ password_hash }).execute();
});

async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or e-mail address").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test.each([
  ["with JavaScript", 1280, "ines_carvalho"],
  ["without JavaScript", 360, "chloe_lefevre"],
] as const)(
  "a member %s, %i px wide, writes, previews, publishes and settles a conflict",
  async (...reader) => {
    const [scripts, width, username] = reader;
    const options = { javaScriptEnabled: scripts === "with JavaScript", viewport: { width, height: 800 } };
    const readable = async () => options.javaScriptEnabled && expectReadable(page, { few: 1 });
    const { page, faults } = await site.open("/new", options);
    await signIn(page, username);
    await page.getByLabel("Text", { exact: true }).fill("First *wind*.\n\nThen tie.\n");
    await button(page, "Publish").click();
    await page.locator(".error-summary", { hasText: "Title" }).waitFor();
    await readable();
    await page.getByLabel("Title").fill(`Warping ${scripts}`);
    const cover = { name: "a.png", mimeType: "image/png", buffer: pngOf(400, 168) };
    await page.getByLabel("Cover", { exact: true }).setInputFiles(cover);
    await button(page, "Preview").click();
    await page.locator(".preview em", { hasText: "wind" }).waitFor();
    await readable();
    await button(page, "Publish").click();
    await page.locator("article em", { hasText: "wind" }).waitFor();
    await readable();

    await page.locator("article").getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Text", { exact: true }).fill("First *wind*.\n\nThen weave.\n");
    const slug = new URL(page.url()).pathname.split("/")[2] ?? "";
    const other = { body_markdown: "First *wind*.\n\nThen rest.\n" };
    await site.world.db.updateTable("articles").set(other).where("slug", "=", slug).execute();
    await button(page, "Save").click();
    await page.locator("mark", { hasText: "Then weave." }).waitFor();
    await readable();
    await button(page, "Overwrite theirs with mine").click();
    await page.locator("article").getByText("Then weave.").waitFor();
    await page.goto(`${site.origin}/dashboard`);
    await page.getByRole("link", { name: `Warping ${scripts}`, exact: true }).waitFor();
    await readable();
    await page.getByRole("link", { name: `Edit Warping ${scripts}`, exact: true }).click();
    await page.getByRole("link", { name: "Delete", exact: true }).click();
    await button(page, "Delete").click();
    await button(page, `Restore Warping ${scripts}`).waitFor();
    await readable();
    // The browser reports each refusal.
    expect(faults.filter((fault) => !/status of 4(?:12|22)/.test(fault))).toEqual([]);
  },
);
