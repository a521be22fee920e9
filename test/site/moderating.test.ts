import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { fanOut } from "../../src/community/notifications/notifications.ts";
import * as links from "../../src/community/users/one-time-links.ts";
import { expectReadable, READERS, siteForAll, violations } from "../site.ts";

const site = siteForAll({ demo: false });

async function signIn(page: Page, id: number): Promise<void> {
  const token = await links.create(site.world.db, id, new Date());
  await page.goto(`${site.origin}/signin/link/${token}`);
  await page.getByRole("button", { name: "Sign in as" }).click();
  await page.locator(".viewer-menu").waitFor();
}

describe.each(READERS)("moderation $scripts, $width px wide, $colorScheme", ({ options, width }) => {
  test("leads from a report to a hidden comment, whose author reads why, and back", async () => {
    const suffix = `${width}${Math.random().toString(36).slice(2, 8)}`;
    const user = (name: string, role = "member") => site.world.user({ username: `${name}_${suffix}`, role });
    const [mara, lena, bob] = [await user("mara", "moderator"), await user("lena"), await user("bob")];
    const article = await site.world.article({ username: lena.username }, { title: "Herons" });
    const comment = await site.world.comment(
      { username: lena.username },
      { article: article.slug, body_markdown: "# Egrets\n\nLovely." },
    );
    const path = `/comments/${comment.code}`;

    const reader = await site.open("/", options);
    await signIn(reader.page, bob.id);
    await reader.page.goto(`${site.origin}${path}`);
    await reader.page.getByRole("link", { name: "Report the comment" }).click();
    await reader.page.getByLabel("Harassment").check();
    await reader.page.getByLabel("What should moderators know?").fill("Look at this");
    // Without scripts there is nothing to check with.
    if (options.javaScriptEnabled) expect(await violations(reader.page)).toEqual([]);
    await reader.page.getByRole("button", { name: "Report" }).click();
    await reader.page.getByRole("heading", { name: "Reported" }).waitFor();

    const staff = await site.open("/", options);
    await signIn(staff.page, mara.id);
    await staff.page.goto(`${site.origin}/mod`);
    await staff.page.getByText("Look at this").waitFor();
    if (options.javaScriptEnabled) await expectReadable(staff.page, { few: 2 });
    if (process.env["SHOTS"])
      await staff.page.screenshot({ path: `${process.env["SHOTS"]}/mod-${width}.png`, fullPage: true });
    await staff.page.getByLabel("Reason").fill("Insults");
    await staff.page.getByLabel("Reason").press("Enter");
    await staff.page.getByRole("button", { name: "Hide" }).press("Enter");
    await staff.page.getByText("Done.").waitFor();

    const author = await site.open("/", options);
    await signIn(author.page, lena.id);
    await author.page.goto(`${site.origin}${path}`);
    await author.page.getByText("The reason: Insults").waitFor();
    await fanOut(site.world.db, new Date());
    await author.page.goto(`${site.origin}/notifications`);
    await author.page.getByText("was hidden: Insults").waitFor();

    await staff.page.goto(`${site.origin}/mod/people/${lena.id}`);
    if (options.javaScriptEnabled) await expectReadable(staff.page, { few: 2 });
    if (process.env["SHOTS"])
      await staff.page.screenshot({ path: `${process.env["SHOTS"]}/person-${width}.png`, fullPage: true });
    await staff.page.getByRole("button", { name: "Show" }).click();
    await staff.page.getByText("Done.").waitFor();
    await author.page.goto(`${site.origin}${path}`);
    await author.page.getByText("The reason: Insults").waitFor({ state: "detached" });
    await staff.page.goto(`${site.origin}/mod/log`);
    if (options.javaScriptEnabled) await expectReadable(staff.page, { few: 2 });
    if (process.env["SHOTS"])
      await staff.page.screenshot({ path: `${process.env["SHOTS"]}/log-${width}.png`, fullPage: true });
    for (const { faults } of [reader, staff, author]) expect(faults).toEqual([]);
  });
});
