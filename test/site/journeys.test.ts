import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { READERS, siteForAll } from "../site.ts";

const site = siteForAll();
const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";
const ARTICLE_TITLE = "Everything Markdown can do here";

/** Presses Tab until the focus, which is always visible, is on an element of this text. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let stops = 0; stops < 150; stops++) {
    await page.keyboard.press("Tab");
    const focus = (await page.evaluate(`(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const { top, bottom } = element.getBoundingClientRect();
      const isVisible = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && bottom > 0 && top < innerHeight;
      return { text: element.ariaLabel ?? element.textContent.trim(), isVisible };
    })()`)) as { text: string; isVisible: boolean };
    expect(focus).toEqual({ ...focus, isVisible: true });
    if (focus.text === text) return;
  }
  throw new Error(`The focus never comes to ${text}.`);
}

describe.each(READERS)("a reader $scripts, $width px wide, $colorScheme", ({ options, width }) => {
  const open = (path: string) => site.open(path, options);

  const isPhone = width < 600;

  /** Opens what is closed on a phone. */
  async function unfold(page: Page, name: string): Promise<void> {
    const summary = page.locator("summary", { hasText: name });
    if (isPhone) await summary.or(page.getByRole("button", { name, exact: true })).click();
  }

  /** Follows a link to a path. */
  async function follow(link: Locator, path: string): Promise<void> {
    await link.click();
    await link.page().waitForURL(site.origin + path);
  }

  test("reads an article, a comment, a thread and the author's others, and goes back", async () => {
    const { page, faults } = await open("/");
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    await follow(link(ARTICLE_TITLE), ARTICLE);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(ARTICLE_TITLE);

    await unfold(page, "Contents");
    await follow(page.locator(".contents").getByRole("link", { name: "Tables" }), `${ARTICLE}#h-tables`);
    const top = () => page.evaluate("document.querySelector('#h-tables').getBoundingClientRect().top");
    await expect.poll(top).toBeLessThan(100);

    await follow(
      page.locator(".article-head").getByRole("link", { name: /comments/ }),
      `${ARTICLE}#comments`,
    );
    await page.locator(".comment time").first().click();
    await page.waitForURL(({ href }) => href.includes("/comments/"));
    await follow(link("All comments"), `${ARTICLE}#comments`);

    await follow(
      page.locator(".article-head").getByRole("link", { name: "Mara Lindqvist" }).last(),
      "/mara_lindqvist",
    );
    await follow(link("Series"), "/mara_lindqvist?tab=series");
    await follow(link("A book from scratch"), "/mara_lindqvist/series/A%20book%20from%20scratch");
    await follow(link("Start reading"), "/mara_lindqvist/a-book-from-scratch-folding");
    await unfold(page, "Part 1 of");
    await follow(
      page.locator(".series").getByRole("link", { name: /part 2/ }),
      "/mara_lindqvist/a-book-from-scratch-sewing",
    );
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe("/mara_lindqvist/a-book-from-scratch-folding");
    await follow(link("Third Bench"), "/");
    expect(faults).toEqual([]);
  });

  test("finds articles by a misspelt word, of a tag and of a time, and other things by their kind", async () => {
    const { page, faults } = await open("/");
    await page.getByLabel("Search", { exact: true }).fill("tomattoes");
    await page.keyboard.press("Enter");
    await page.waitForURL(({ href }) => href.includes("/search?q=tomattoes"));
    expect(await page.getByText("Showing results for").textContent()).toContain("tomatoes");
    expect(await page.locator("mark").first().textContent()).toMatch(/tomato/i);

    const titles = () => page.locator(".article-card h2").allTextContents();
    const all = await titles();
    await page.getByLabel("Search for").fill("tomatoes");
    await unfold(page, "Filters");
    await page.getByLabel("Tag", { exact: true }).fill("beginners");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.waitForURL(({ href }) => href.includes("tag=beginners"));
    expect(all).toEqual(expect.arrayContaining(await titles()));
    expect((await titles()).length).toBeLessThan(all.length);

    await page.getByLabel("Tag", { exact: true }).fill("");
    await page.getByLabel("Published").selectOption("week");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.waitForURL(({ href }) => href.includes("time=week"));
    expect((await titles()).length).toBeLessThan(all.length);

    for (const [kind, q, expected] of [
      ["People", "mara", "Mara Lindqvist"],
      ["Tags", "gard", "#gardening"],
      ["Comments", "casing", "Lukas Brandt"],
      ["Listings", "multimeters", "Two spare multimeters"],
    ] as const) {
      await page.goto(site.origin);
      await page.getByLabel("Search", { exact: true }).fill(q);
      await page.keyboard.press("Enter");
      await page.waitForURL(({ href }) => href.includes(`/search?q=${q}`));
      await page.getByRole("main").getByRole("link", { name: kind, exact: true }).click();
      await page.waitForURL(({ href }) => href.includes(`kind=${kind.toLowerCase()}`));
      await page.getByRole("main").getByRole("link", { name: expected }).first().waitFor();
    }
    expect(faults).toEqual([]);
  });

  test("comes from the menu to a listing, an episode with its player, and an article of a month", async () => {
    const { page, faults } = await open("/");
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    const choose = async (name: string, path: string) => {
      await unfold(page, "Menu");
      await follow(link(name), path);
    };
    await choose("Listings", "/listings");
    await unfold(page, "Category: all");
    await page.getByRole("link", { name: "Stuff for sale" }).click();
    await page.waitForURL(`${site.origin}/listings/forsale`);
    const listing = page.locator(".cards h2 a").first();
    const title = await listing.textContent();
    await listing.click();
    await page.waitForURL(/\/listings\/forsale\/./);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);

    await choose("Podcasts", "/podcasts");
    await follow(link("Bench Notes"), "/bench-notes");
    await follow(link("Zips: an apology"), "/bench-notes/zips-an-apology");
    const player = page.locator("audio");
    expect(await player.getAttribute("controls")).toBe("");
    expect(await player.getAttribute("preload")).toBe("none");

    await follow(link("Archive"), "/archive");
    await page.locator(".months a").first().click();
    await page.waitForURL(/\/archive\/\d{4}-\d\d$/);
    const article = page.locator(".plain-list a").first();
    const name = await article.textContent();
    await article.click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(name);
    expect(faults).toEqual([]);
  });

  test("reads and searches by keyboard alone, and always sees where the focus is", async () => {
    const { page } = await open("/");
    const focused = () => page.evaluate("document.activeElement.textContent.trim()");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await tabTo(page, ARTICLE_TITLE);
    await page.keyboard.press("Enter");
    await page.waitForURL(site.origin + ARTICLE);
    if (isPhone) {
      await tabTo(page, "Contents");
      await page.keyboard.press("Enter");
    }
    await tabTo(page, "Tables");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site.origin}${ARTICLE}#h-tables`);

    await page.goto(site.origin);
    await tabTo(page, "Search");
    await page.keyboard.type("tomattoes");
    await page.keyboard.press("Enter");
    await page.waitForURL(({ href }) => href.includes("/search?q=tomattoes"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await tabTo(page, "tomatoes");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site.origin}/search?q=tomatoes`);
  });
});

test.each(["light", "dark"] as const)(
  "the theme follows a %s system until the reader chooses, and then stays",
  async (colorScheme) => {
    const { page, faults } = await site.open("/", { colorScheme });
    const [LIGHT, DARK] = ["rgb(253, 252, 249)", "rgb(23, 24, 27)"];
    const [own, other] = colorScheme === "light" ? [LIGHT, DARK] : [DARK, LIGHT];
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe(own);
    const button = page.getByRole("button", { name: "Dark theme" });
    await button.click();
    expect(await background()).toBe(other);
    await page.goto(`${site.origin}/tags`, { waitUntil: "commit" });
    expect(await background()).toBe(other);
    expect(await button.getAttribute("aria-pressed")).toBe(String(colorScheme === "light"));
    await page.goto(`${site.origin}/nothing/here`);
    expect(await background()).toBe(other);
    await button.click();
    await page.goto(`${site.origin}${ARTICLE}`);
    expect(await background()).toBe(own);
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
  },
);

test.each(["/", "/t/gardening", "/mara_lindqvist", "/tinker_lab", ARTICLE, "/search?q=tomatoes"])(
  "a reader of feeds finds those of %s",
  async (path) => {
    const html = (await site.world.get(path)).text;
    const found = html.matchAll(/<link rel="alternate" type="([^"]*)" title="[^"]*" href="([^"]*)"/g);
    const links = [...found].map(([, type, href = ""]) => {
      const { pathname, search } = new URL(href.replaceAll("&amp;", "&"), site.origin);
      return { type, href: pathname + search };
    });
    expect(links.length).toBe(3);
    for (const { href, type } of links) {
      const { status, headers, text } = await site.world.get(href);
      expect({ status, type: String(headers["content-type"]).split(";")[0] }).toEqual({ status: 200, type });
      expect(text).toContain(path.startsWith("/search") ? "tomato" : "http");
    }
  },
);
