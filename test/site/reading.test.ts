import { expect, test } from "vitest";
import { expectReadable } from "../looking.ts";
import { siteForAll } from "../site.ts";

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
  "/t/nothing",
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
  ...VARIED.map((path) => ({ path, few: 2, turn: 0 })),
  ...OTHERS.map((path, turn) => ({ path, few: 1, turn })),
];

test.each(PAGES)(
  "$path is accessible, fits every width and does nothing wrong",
  async ({ path, ...looks }) => {
    const { page, faults } = await site.open(path);
    await expectReadable(page, looks);
    expect(faults).toEqual([]);
  },
);
