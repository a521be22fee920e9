import { expect, test } from "vitest";
import { siteForAll, violations } from "../site.ts";

const site = siteForAll();
const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";

test("the recording of an episode plays, and can be moved in", async () => {
  const { page, faults } = await site.open("/bench-notes/zips-an-apology");
  await page.evaluate("document.querySelector('audio').play()");
  const player = (what: string) => page.evaluate(`document.querySelector("audio").${what}`);
  expect(await player("duration")).toBe(4);
  await page.evaluate("document.querySelector('audio').currentTime = 3.5");
  await expect.poll(() => player("ended"), { timeout: 5_000 }).toBe(true);
  expect(faults).toEqual([]);
});

test("a video on the site plays where its picture leads", async () => {
  const { page, faults } = await site.open("/videos");
  await page.getByRole("link", { name: "Play Bicycle rescue, part 2: brake cables" }).click();
  await expect.poll(() => page.url()).toBe(`${site.origin}/assets/demo/brake-cables.webm`);
  const player = (what: string) => page.evaluate(`document.querySelector("video").${what}`);
  await expect.poll(() => player("currentTime"), { timeout: 5_000 }).toBeGreaterThan(0);
  expect([await player("duration"), await player("videoWidth")]).toEqual([4, 640]);
  expect(faults).toEqual([]);
});

const PAGES = [
  "/",
  "/?top=ever",
  ARTICLE,
  `${ARTICLE}/comments`,
  "/mara_lindqvist",
  "/mara_lindqvist?tab=comments",
  "/mara_lindqvist?tab=series",
  "/mara_lindqvist?tab=about",
  "/tinker_lab",
  "/tags",
  "/t/gardening",
  "/t/nothing",
  "/search",
  "/search?q=tomatoes",
  "/search?q=zzzzzzzz",
  "/search?q=mara&kind=people",
  "/search?q=gard&kind=tags",
  "/search?q=the&kind=comments",
  "/search?q=seed&kind=listings",
  "/listings",
  "/podcasts",
  "/bench-notes",
  "/bench-notes/the-toaster-that-would-not-let-go",
  "/videos",
  "/archive",
  "/about",
  "/privacy",
  "/terms",
  "/code-of-conduct",
];

test.each(PAGES)("%s is accessible, fits every width and does nothing wrong", async (path) => {
  const { page, faults } = await site.open(path);
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  for (const width of [768, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  }
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
});
