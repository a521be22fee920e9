import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import * as sessions from "../../src/community/users/sessions.ts";
import { siteForAll, violations } from "../site.ts";

const site = siteForAll();
const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";

const PAGES = ["/", ARTICLE, "/t/gardening", "/mara_lindqvist"];
const PAGES_OF_MEMBERS = [ARTICLE, "/?tab=following", "/reading-list", "/following", "/notifications"];

/** The sum of all shifts so far. */
const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; })
    .observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 50)));
})`;

/** Fails where something on a page moves when pictures and scripts come late. */
async function expectStill({ path, session }: { path: string; session?: string }): Promise<void> {
  const { page } = await site.open("/terms");
  if (session) await page.context().addCookies([{ name: "session", value: session, url: site.origin }]);
  await page.route("**/*", async (route) => {
    if (!["document", "stylesheet"].includes(route.request().resourceType())) await sleep(300);
    await route.continue();
  });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(site.origin + path);
    expect([path, await page.evaluate(SHIFTS)]).toEqual([path, 0]);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await expect
      .poll(() => page.evaluate("[...document.images].every(({ complete }) => complete)"))
      .toBe(true);
    expect([path, await page.evaluate(SHIFTS)]).toEqual([path, 0]);
  }
}

test("nothing moves when pictures and scripts come late, for members too", async () => {
  const member = await site.world.db.selectFrom("follows").select("follower_id").executeTakeFirstOrThrow();
  const begun = { userId: member.follower_id, network: "", browser: "" };
  const session = await sessions.begin(site.world.db, begun, new Date());
  const ofMember = PAGES_OF_MEMBERS.map((path) => ({ path, session }));
  await Promise.all([...PAGES.map((path) => ({ path })), ...ofMember].map(expectStill));
});

/** Links and controls less than 24 px high, except links within a sentence. Words make them wide enough. */
const SMALL_TARGETS = `[...document.querySelectorAll("a[href], button, input, select, summary")].flatMap((element) => {
  const { width, height } = element.getBoundingClientRect();
  const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 1;
  const besides = [...element.parentElement.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE && /[\\p{L}\\p{N}]/u.test(node.data));
  const isInSentence = getComputedStyle(element).display === "inline" && besides.length > 0;
  return isShown && !isInSentence && !element.closest(".prose") && height < 24
    ? [element.outerHTML.slice(0, 120) + " " + Math.round(width) + "x" + Math.round(height * 10) / 10] : [];
})`;

test("the targets of every kind of page are large enough for a thumb", async () => {
  const { page } = await site.open("/terms", { viewport: { width: 320, height: 800 } });
  // The others are looked at as narrow where all their accessibility is.
  const more = ["/archive", "/podcasts", "/bench-notes", "/t/gardening"];
  for (const path of [
    "/",
    ARTICLE,
    "/mara_lindqvist",
    "/search?q=tomatoes",
    "/listings",
    "/tinker_lab",
    ...more,
  ]) {
    await page.goto(site.origin + path);
    expect([path, await page.evaluate(SMALL_TARGETS)]).toEqual([path, []]);
    if (more.includes(path)) expect([path, await violations(page, ["target-size"])]).toEqual([path, []]);
  }
});

test("a word without end makes no page wider than the window", async () => {
  const word = "Donaudampfschifffahrtsgesellschaft".repeat(2);
  const user = { username: "w".repeat(30), name: word, summary: word, location: word };
  await site.world.user(user);
  const fields = { title: word, description: word, tags: ["t".repeat(30)], series: word };
  for (const slug of ["endless-1a", "endless-2b"]) {
    const body_markdown = `## ${word}\n\n${word} [${word}](/) \`${word}\`\n\n- ${word}\n\n> ${word}\n\nIntro.\n\n## A\n\n## B`;
    await site.world.article(user, { ...fields, slug, body_markdown });
  }
  await site.world.comment(user, { article: "endless-1a", body_markdown: word });
  const own = `/${user.username}`;
  const { page } = await site.open("/", { viewport: { width: 320, height: 800 } });
  const month = new Date().toISOString().slice(0, 7);
  const paths = [
    "/",
    own,
    `${own}/endless-1a`,
    `${own}?tab=series`,
    `${own}?tab=comments`,
    `${own}?tab=about`,
  ];
  const others = [`${own}/series/${word}`, `/search?q=${word}`, `/archive/${month}`, `/t/${"t".repeat(30)}`];
  const widths: Record<string, unknown> = {};
  for (const path of [...paths, ...others]) {
    await page.goto(site.origin + path);
    widths[path] = await page.evaluate("document.documentElement.scrollWidth");
  }
  expect(widths).toEqual(Object.fromEntries([...paths, ...others].map((path) => [path, 320])));
});

test.each([
  ["no-preference", "move into each other"],
  ["reduce", "replace each other at once"],
] as const)("for a reader with the preference %s, pages %s", async (reducedMotion, expected) => {
  const { page } = await site.open("/", { reducedMotion });
  await page.addInitScript(
    "addEventListener('pagereveal', (event) => { self.moves = event.viewTransition !== null; })",
  );
  await page.getByRole("link", { name: "All tags" }).click();
  await page.waitForURL(`${site.origin}/tags`);
  // The browser shows a page when it draws its next frame.
  await page.waitForFunction("self.moves !== undefined");
  expect(await page.evaluate("self.moves")).toBe(expected === "move into each other");
});

test("an article on paper has no menus and its links written out, black on white in every theme", async () => {
  const { page } = await site.open(ARTICLE);
  await page.getByRole("button", { name: "Dark theme" }).click();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
  for (const part of await page.locator("nav, .site-header, .skip, .contents").all()) {
    expect(await part.isVisible()).toBe(false);
  }
  const written = (await page.evaluate(
    `[...document.querySelectorAll(".prose a[href^=http]")].map((link) => getComputedStyle(link, "::after").content)`,
  )) as string[];
  expect(written.length).toBeGreaterThan(0);
  for (const text of written) expect(text).toContain("http");
  expect(await violations(page)).toEqual([]);
});

test.each([
  [1280, "/"],
  [360, "/"],
  [1280, ARTICLE],
])("at %i px the focus goes through the header of %s as the eye does", async (width, path) => {
  const { page } = await site.open(path, { viewport: { width, height: 800 } });
  const places: number[] = [];
  // A field may grow as it gets the focus.
  await page.evaluate(`document.querySelectorAll(".site-header :is(a, button, input)")
    .forEach((element) => { element.place = element.getBoundingClientRect().left; })`);
  await page.keyboard.press("Tab");
  for (let stops = 0; stops < 12; stops++) {
    await page.keyboard.press("Tab");
    const left = (await page.evaluate("document.activeElement.place ?? null")) as number | null;
    if (left === null) break;
    places.push(left);
  }
  expect(places.length).toBeGreaterThanOrEqual(4);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("an entry of the contents is in one column", async () => {
  const { page } = await site.open(ARTICLE, { viewport: { width: 1000, height: 800 } });
  const parts = `[...document.querySelectorAll(".contents li")].map((entry) => entry.getClientRects().length)`;
  expect(new Set(await page.evaluate<number[]>(parts))).toEqual(new Set([1]));
  const columns = `new Set([...document.querySelectorAll(".contents li")].map((entry) => entry.offsetLeft)).size`;
  expect(await page.evaluate(columns)).toBeGreaterThan(1);
});

test("the lists of a comment have the bullets of an article's", async () => {
  await site.world.article(
    { username: "mara_lindqvist" },
    { slug: "bullets-x", body_markdown: "- a\n  - b" },
  );
  const author = { username: "mara_lindqvist" };
  const { code } = await site.world.comment(author, { article: "bullets-x", body_markdown: "- a\n  - b" });
  await site.world.comment(author, { article: "bullets-x", parent: code, body_markdown: "- a\n  - b" });
  const { page } = await site.open("/mara_lindqvist/bullets-x");
  const bullets = `[...document.querySelectorAll(".prose ul")].map((list) => getComputedStyle(list).listStyleType)`;
  expect(await page.evaluate(bullets)).toEqual(["disc", "circle", "disc", "circle", "disc", "circle"]);
});

describe("a text from right to left", () => {
  const direction = (selector: string) => `getComputedStyle(document.querySelector("${selector}")).direction`;

  /** How far the text of an element ends from the right edge of the page's column. */
  const gapAtRight = (selector: string) => `(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector("${selector}"));
    const ends = [...range.getClientRects()].map(({ right }) => right);
    return Math.round(document.querySelector("article").getBoundingClientRect().right - Math.max(...ends));
  })()`;

  test("stands on the right, its title and lists too, while the page around it stays", async () => {
    const { page } = await site.open("/slow_letters/bary-al-qalam", {
      viewport: { width: 360, height: 800 },
    });
    expect(await page.evaluate(direction("h1"))).toBe("rtl");
    expect(await page.evaluate(direction(".prose ol"))).toBe("rtl");
    expect(await page.evaluate(direction(".site-header"))).toBe("ltr");
    expect(await page.evaluate(gapAtRight("h1"))).toBeLessThan(3);
    expect(await page.evaluate(gapAtRight(".prose p"))).toBeLessThan(3);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  test("has its byline, avatar, tags and contents on the right too, in lists as well", async () => {
    await site.world.article(
      { username: "mara_lindqvist" },
      {
        slug: "right-to-left-x",
        title: "بري القلم",
        tags: ["letters"],
        body_markdown: "قلم\n\n## قلم\n\n## ورق\n\n## حبر",
      },
    );
    await site.world.forget();
    const middle = (selector: string) => `(() => {
      const { left, width } = document.querySelector("${selector}").getBoundingClientRect();
      return left + width / 2;
    })()`;
    const { page } = await site.open("/mara_lindqvist/right-to-left-x");
    for (const part of [".avatar", ".byline .meta time", ".tag"]) {
      expect(await page.evaluate(middle(`.article-head ${part}`))).toBeGreaterThan(640);
    }
    await page.goto(`${site.origin}/t/letters`);
    const card = ".article-card:has([href$=right-to-left-x])";
    for (const part of [".avatar", "time", ".tag"]) {
      expect(await page.evaluate(middle(`${card} ${part}`))).toBeGreaterThan(640);
    }
  });

  test("may follow one from left to right", async () => {
    const fields = { slug: "both-directions-x", body_markdown: "Left.\n\nمن اليمين.\n\nLeft again." };
    await site.world.article({ username: "mara_lindqvist" }, fields);
    const { page } = await site.open("/mara_lindqvist/both-directions-x");
    expect(await page.evaluate(gapAtRight(".prose p"))).toBeGreaterThan(100);
    expect(await page.evaluate(gapAtRight(".prose p:nth-child(2)"))).toBeLessThan(3);
    expect(await page.evaluate(gapAtRight(".prose p:nth-child(3)"))).toBeGreaterThan(100);
  });
});
