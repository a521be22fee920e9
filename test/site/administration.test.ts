import { beforeAll, describe, expect, test } from "vitest";
import { operator } from "../../src/http/actor.ts";
import * as organizations from "../../src/community/organizations/organizations.ts";
import * as settings from "../../src/platform/settings/settings.ts";
import * as sessions from "../../src/community/users/sessions.ts";
import { expectReadable, READERS, siteForAll } from "../site.ts";

const site = siteForAll();
const people: Record<string, number> = {};

beforeAll(async () => {
  const rows = await site.world.db.selectFrom("users").select(["id", "username"]).execute();
  for (const { id, username } of rows) people[username] = id;
  const op = operator(site.world.db);
  const { id: organization_id } = await organizations.create(op, {
    username: "loomers",
    name: "The Loomers",
  });
  const { id: user_id } = await site.world.user({ username: "head", name: "Head Ortiz", role: "admin" });
  const membership = { organizationId: organization_id, userId: people["mara_lindqvist"] ?? 0 };
  await organizations.addMember(op, { ...membership, role: "admin" });
  await site.world.db
    .insertInto("organization_invitations")
    .values({ organization_id, user_id, created_at: new Date() })
    .execute();
});

async function openAs(username: string, path: string, options = {}) {
  const { db } = site.world;
  const user = await db
    .selectFrom("users")
    .select("id")
    .where("username", "=", username)
    .executeTakeFirstOrThrow();
  const token = await sessions.begin(db, { userId: user.id, network: "", browser: "" }, new Date());
  const { page, faults } = await site.open("/about", options);
  await page.context().addCookies([{ name: "session", value: token, url: site.origin }]);
  await page.goto(site.origin + path);
  return { page, faults };
}

const PAGES =
  "/admin /admin/settings /admin/people /mod/people/1 /admin/tags /admin/tags/wood /admin/organizations /orgs/new /orgs/loomers/settings /notifications".split(
    " ",
  );

test("pages of administration and of organizations fit every width, and are accessible", async () => {
  const { page, faults } = await openAs("head", "/admin");
  const [tag] = await site.world.db
    .selectFrom("tags")
    .select("name")
    .orderBy("articles_count", "desc")
    .limit(1)
    .execute();
  for (const [turn, path] of PAGES.entries()) {
    await page.goto(site.origin + path.replace("wood", tag?.name ?? ""));
    await expectReadable(page, { few: 1, turn });
  }
  expect(faults).toEqual([]);
});

describe.each(READERS)("an admin $scripts, $width px wide, $colorScheme", ({ options }) => {
  test("changes a setting, sees a refused one beside its field, and resets it", async () => {
    const { page, faults } = await openAs("head", "/admin/settings", options);
    await page.getByLabel("Tagline").fill("Over, under");
    await page.getByLabel("Read rate").fill("many");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("#read_rate-fault").waitFor();
    expect(await page.getByLabel("Tagline").inputValue()).toBe("Over, under");
    await page.getByLabel("Read rate").fill("40");
    await page.getByLabel("Read rate").press("Enter");
    await page.getByText("Done.").waitFor();
    await page.getByText("Changed settings: ").click();
    await page.getByRole("button", { name: "Reset Read rate" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Reset Read rate" }).count()).toBe(0);
    const { read_rate, tagline } = await settings.read(site.world.db);
    expect([read_rate, tagline]).toEqual([30, "Over, under"]);
    expect(faults.filter((fault) => !fault.includes("422"))).toEqual([]);
    await settings.set(site.world.db, "tagline", "");
  });

  test("downloads the archive of a person", async () => {
    const { page } = await openAs("head", `/mod/people/${people["ines_carvalho"]}`, options);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export as an archive" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("ines_carvalho.zip");
  });

  test("invites a person to an organization, who declines", async () => {
    const admin = await openAs("mara_lindqvist", "/orgs/loomers/settings", options);
    await admin.page.getByLabel("Invite a member").fill("ines_carvalho");
    await admin.page.getByRole("button", { name: "Invite" }).click();
    await admin.page.getByText("Done.").waitFor();
    const { page, faults } = await openAs("ines_carvalho", "/notifications", options);
    await page.getByRole("button", { name: "Decline The Loomers" }).click();
    await expect.poll(() => page.getByText("invites you to").count()).toBe(0);
    expect([...admin.faults, ...faults]).toEqual([]);
  });
});
