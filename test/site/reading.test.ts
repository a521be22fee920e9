import { expect, test } from "vitest";
import { sample } from "../setup.ts";
import { expectReadable, siteForAll } from "../site.ts";

const site = siteForAll();
const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";

test("the recording of an episode plays, and can be moved in", async () => {
  const { page, faults } = await site.open("/bench-notes/zips-an-apology");
  await page.evaluate("document.querySelector('audio').play()");
  const player = (what: string) => page.evaluate(`document.querySelector("audio").${what}`);
  expect(await player("duration")).toBe(4);
  await page.evaluate("document.querySelector('audio').currentTime = 3.5");
  await expect.poll(() => player("ended")).toBe(true);
  expect(faults).toEqual([]);
});

test("a video on the site plays where its picture leads", async () => {
  const { page, faults } = await site.open("/videos");
  await page.getByRole("link", { name: "Play Bicycle rescue, part 2: brake cables" }).click();
  await expect.poll(() => page.url()).toBe(`${site.origin}/assets/demo/brake-cables.webm`);
  const player = (what: string) => page.evaluate(`document.querySelector("video").${what}`);
  await expect.poll(() => player("currentTime")).toBeGreaterThan(0);
  expect([await player("duration"), await player("videoWidth")]).toEqual([4, 640]);
  expect(faults).toEqual([]);
});

test("code and tables are a stop of the Tab key only where they scroll", async () => {
  const { page } = await site.open(ARTICLE);
  const boxes = `[...document.querySelectorAll("pre, .prose table")].filter((box) => box.checkVisibility())`;
  const wrong = `${boxes}.filter((box) => (box.tabIndex === 0) !== box.scrollWidth > box.clientWidth).length`;
  const stops = `${boxes}.filter((box) => box.tabIndex === 0).length`;
  expect(await page.evaluate([wrong, stops, `${boxes}.length`].join(" + ' ' + "))).toMatch(/^0 0 1\d$/);
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(() => page.evaluate(stops)).toBeGreaterThan(1);
  expect(await page.evaluate(wrong)).toBe(0);
});

test("a button copies a piece of code", async () => {
  const { page, faults } = await site.open(ARTICLE, { permissions: ["clipboard-read", "clipboard-write"] });
  const code = page.locator(".code", { hasText: "stamps" }).first();
  await code.hover();
  await code.getByRole("button", { name: "Copy" }).click();
  await code.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  expect(copied).toBe((await code.locator("pre").textContent())?.trimEnd());
  expect(faults).toEqual([]);
});

test("the key / goes to the search field, unless the reader turned that off or types", async () => {
  const { page, faults } = await site.open(ARTICLE);
  const isInField = () => page.evaluate("document.activeElement.matches('.search-field input')");
  const typed = () => page.evaluate("document.activeElement.value");
  await page.keyboard.press("/");
  expect([await isInField(), await typed()]).toEqual([true, ""]);
  await page.keyboard.press("/");
  expect([await isInField(), await typed()]).toEqual([true, "/"]);
  await page.goto(`${site.origin}/search`);
  await page.getByLabel("Search for").focus();
  await page.keyboard.press("/");
  expect([await isInField(), await typed()]).toEqual([false, "/"]);
  await page.getByLabel("goes to the search field").uncheck();
  await page.goto(site.origin + ARTICLE);
  await page.keyboard.press("/");
  expect(await isInField()).toBe(false);
  expect(faults).toEqual([]);
});

test("a card of a video has a play sign", async () => {
  const body_markdown = "{% youtube dQw4w9WgXcQ %}\n\n{% github forem/forem %}";
  await site.world.article({ username: "mara_lindqvist" }, { slug: "video-card-x", body_markdown });
  const { page } = await site.open("/mara_lindqvist/video-card-x", { javaScriptEnabled: false });
  const sign = (kind: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(".embed-${kind}"), "::after").clipPath`);
  expect(await sign("youtube")).toContain("polygon");
  expect(await sign("github")).toBe("none");
});

/** Together they show every component. */
const VARIED = [
  "/",
  ARTICLE,
  "/mara_lindqvist",
  "/tinker_lab",
  "/search?q=tomatoes",
  "/listings",
  "/bench-notes/the-toaster-that-would-not-let-go",
  "/videos",
];

/** All of them in the long form. */
const OTHERS = [
  "/?top=ever",
  `${ARTICLE}/comments`,
  "/mara_lindqvist/series/A%20book%20from%20scratch",
  "/mara_lindqvist?tab=comments",
  "/mara_lindqvist?tab=series",
  "/mara_lindqvist?tab=about",
  "/tinker_lab?tab=about",
  "/tags",
  "/t/gardening",
  "/search",
  "/search?q=tomattoes",
  "/search?q=zzzzzzzz",
  "/search?q=mara&kind=people",
  "/search?q=gard&kind=tags",
  "/search?q=the&kind=comments",
  "/search?q=seed&kind=listings",
  "/listings/forsale",
  "/podcasts",
  "/bench-notes",
  "/archive",
  "/about",
  "/privacy",
  "/terms",
  "/code-of-conduct",
];

const PAGES = [
  ...VARIED.map((path) => ({ path, few: 1, turn: 0 })),
  ...sample(OTHERS, 3).map((path, turn) => ({ path, few: 1, turn })),
];

test.each(PAGES)(
  "$path is accessible, fits every width and does nothing wrong",
  async ({ path, ...looks }) => {
    const { page, faults } = await site.open(path);
    await expectReadable(page, looks);
    expect(faults).toEqual([]);
  },
);
