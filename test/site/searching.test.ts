import { beforeAll, expect, test } from "vitest";
import { siteForAll, violations } from "../site.ts";

const site = siteForAll();
beforeAll(() => site.world.loadSearch());

test("the search field suggests what the reader may be typing, and is worked with the keyboard", async () => {
  const { page, faults } = await site.open("/");
  const field = page.getByRole("combobox", { name: "Search" });
  const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  const active = () => options.and(page.locator("[aria-selected=true]")).allTextContents();
  const isOpen = () => field.getAttribute("aria-expanded");
  await field.pressSequentially("growing toma");
  await expect.poll(() => options.allTextContents()).toContain("Growing tomatoes on a balconyArticle");
  expect([await isOpen(), await active()]).toEqual(["true", []]);
  const all = await options.allTextContents();
  await page.keyboard.press("ArrowDown");
  expect(await active()).toEqual(all.slice(0, 1));
  expect(await field.getAttribute("aria-activedescendant")).toBe(await options.first().getAttribute("id"));
  await page.keyboard.press("ArrowUp");
  expect(await active()).toEqual(all.slice(-1));
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect([await isOpen(), await field.inputValue()]).toEqual(["false", "growing toma"]);

  await field.fill("mara l");
  const mara = options.filter({ hasText: "Mara Lindqvist" });
  await mara.waitFor();
  await page.keyboard.press("ArrowDown");
  while (!(await active()).includes("Mara LindqvistPerson")) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${site.origin}/mara_lindqvist`);

  await field.fill("#garden");
  await options.filter({ hasText: "#gardening" }).click();
  await page.waitForURL(`${site.origin}/t/gardening`);
  await field.fill("tomatoes");
  await options.first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${site.origin}/search?q=tomatoes`);
  expect(faults).toEqual([]);
});

test.each([["tomat"], ["tomta"]])("%s suggests every title with tomatoes", async (q) => {
  const { body } = await site.world.get(`/search/suggestions?q=${q}`);
  expect((body as [string, string[]])[1].toSorted()).toEqual([
    "Growing tomatoes from seed in a cold climate",
    "Growing tomatoes on a balcony",
    "Tomatoes in winter: what to do with the green ones",
  ]);
});

test.each(["tomatoes", "how to sharpen knives", "gard"])(
  "on a desktop the first result for %s begins above 320 px",
  async (q) => {
    const { page } = await site.open(`/search?q=${encodeURIComponent(q)}`);
    expect((await page.locator(".article-card").first().boundingBox())?.y).toBeLessThan(320);
    expect(await page.getByLabel("Sort by").locator("option").allTextContents()).toEqual([
      "relevance",
      "newest",
      "popular",
    ]);
  },
);

test("on a phone the filters of a search are folded until they are used", async () => {
  const options = { viewport: { width: 390, height: 800 }, javaScriptEnabled: false };
  const { page } = await site.open("/search?q=tomatoes", options);
  const tag = page.getByLabel("Tag", { exact: true });
  expect(await tag.isVisible()).toBe(false);
  await page.getByText("Filters").click();
  await tag.fill("gardening");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.waitForURL(({ href }) => href.includes("tag=gardening"));
  expect(await tag.isVisible()).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await page.getByText("Filters").isVisible()).toBe(false);
});
