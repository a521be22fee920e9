import { describe, expect, test } from "vitest";
import { siteForAll } from "../site.ts";

const site = siteForAll();

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };

/** Cards that stand whole in the first screen. */
const WHOLE_CARDS = `[...document.querySelectorAll(".article-card")]
  .filter((card) => card.getBoundingClientRect().bottom <= innerHeight).length`;

test.each([
  ["/", DESKTOP, 4],
  ["/", PHONE, 2],
  ["/?top=ever", DESKTOP, 4],
  ["/?top=ever", PHONE, 2],
  ["/t/gardening", DESKTOP, 3],
])("the first screen of %s, %o, has at least %i whole articles", async (path, viewport, count) => {
  const { page } = await site.open(path, { viewport });
  expect(await page.evaluate(WHOLE_CARDS)).toBeGreaterThanOrEqual(count);
});

test.each([DESKTOP, PHONE])(
  "the name of the community stands once on the front page, %o, and is its heading for screen readers",
  async (viewport) => {
    const { page } = await site.open("/", { viewport });
    const heading = page.getByRole("heading", { level: 1, name: "Third Bench" });
    expect((await heading.boundingBox())?.width).toBe(1);
  },
);

test("the byline of a card is one line on a phone, however long the names are", async () => {
  const { page } = await site.open("/", { viewport: PHONE });
  const heights = await page.evaluate(
    `[...document.querySelectorAll(".article-card .byline")].map((line) => line.getBoundingClientRect().height)`,
  );
  expect(Math.max(...(heights as number[]))).toBeLessThan(32);
});

/** With a contents list; with a cover and a series; with a long title and an organization; from right to left. */
const ARTICLES = [
  "/mara_lindqvist/everything-markdown-can-do-here",
  "/mara_lindqvist/a-book-from-scratch-sewing",
  "/slow_letters/bary-al-qalam",
];

describe("on a phone", () => {
  test.each(ARTICLES)("the first words of %s stand within the first screen", async (path) => {
    const { page } = await site.open(path, { viewport: PHONE, javaScriptEnabled: false });
    const text = await page.locator("article > .prose > p").first().boundingBox();
    expect(text?.y).toBeLessThan(PHONE.height - 48);
  });

  test("the header is one line, and its menu opens without a script", async () => {
    const { page } = await site.open("/", { viewport: PHONE, javaScriptEnabled: false });
    expect((await page.locator(".site-header").boundingBox())?.height).toBeLessThan(64);
    const tags = page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Tags" });
    expect(await tags.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await tags.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await tags.isVisible()).toBe(false);
  });

  test.each([320, 360, 390])("nothing in the header lies over the name, %i px wide", async (width) => {
    const { page } = await site.open("/", { viewport: { ...PHONE, width } });
    const name = await page.locator(".brand span:last-child").boundingBox();
    const search = await page.locator(".search-field").boundingBox();
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(search?.x ?? 0);
    expect((await page.locator(".site-header").boundingBox())?.height).toBeLessThan(64);
  });

  test("the categories of listings are a menu, which opens without a script", async () => {
    const { page } = await site.open("/listings", { viewport: PHONE, javaScriptEnabled: false });
    const category = page.getByRole("link", { name: "Stuff for sale" });
    expect(await category.isVisible()).toBe(false);
    await page.getByText("Category: all").click();
    await category.click();
    await page.waitForURL(`${site.origin}/listings/forsale`);
    expect(await page.getByText("Category: Stuff for sale").isVisible()).toBe(true);
  });
});

test("the author's name stands once at the top of an article", async () => {
  const { page } = await site.open(ARTICLES[0] ?? "");
  // The name of a button for screen readers is not seen.
  await page.evaluate(`document.querySelectorAll(".visually-hidden").forEach((part) => part.remove())`);
  const text = await page.evaluate(`document.querySelector("main").innerText.split("Words")[0]`);
  expect(String(text).split("Mara Lindqvist")).toHaveLength(2);
});

test("the articles of a profile repeat neither its picture nor its name", async () => {
  const { page } = await site.open("/mara_lindqvist");
  expect(await page.locator(".article-card").count()).toBeGreaterThan(1);
  expect(await page.locator(".article-card .avatar").count()).toBe(0);
  expect(await page.locator(".article-card").getByText("Mara Lindqvist").count()).toBe(0);
});
