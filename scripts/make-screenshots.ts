/**
 * Takes the pictures of docs/images from a running demo: `npm run demo`, then `npm run screenshots -- LINK` with the link
 * that the demo prints to sign in; `--only NAME`, once or more often, takes these alone. For the page of notifications,
 * comment first on articles of that member as another one. The page of the first run is taken from a new site:
 * `npm run screenshots -- --set-up LINK`. On Linux, with the fonts of this computer: on Debian, install
 * fonts-noto-core, fonts-noto-color-emoji and fonts-liberation first.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import sharp from "sharp";
import openBrowser, { launch } from "../test/browser.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "docs", "images");
const { values, positionals } = parseArgs({
  options: { "set-up": { type: "string" }, only: { type: "string", multiple: true } },
  allowPositionals: true,
});
const setUp = values["set-up"] === undefined ? undefined : new URL(values["set-up"]);
const signIn = new URL(positionals[0] ?? "http://localhost:3000/");
const BASE_URL = (setUp ?? signIn).origin;

interface Shot {
  name: string;
  path: string;
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  /** Whether its reader is signed in. */
  isSignedIn?: boolean;
  /** Done first. */
  act?: (page: Page) => Promise<void>;
  /** WebP by default. */
  format?: "png";
}

const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";

const OF_SITE: readonly Shot[] = [
  { name: "home", path: "/" },
  { name: "home-dark", path: "/", colorScheme: "dark" },
  { name: "home-phone", path: "/", width: 390, height: 800 },
  { name: "article", path: ARTICLE, height: 1_000 },
  { name: "acts", path: ARTICLE, isSignedIn: true, act: showActs },
  { name: "acts-phone", path: ARTICLE, isSignedIn: true, width: 390, height: 800, act: showActs },
  { name: "comments", path: ARTICLE, isSignedIn: true, height: 1_000, act: showComments },
  { name: "comments-phone", path: ARTICLE, isSignedIn: true, width: 390, height: 800, act: showComments },
  { name: "notifications", path: "/notifications", isSignedIn: true },
  { name: "notifications-phone", path: "/notifications", isSignedIn: true, width: 390, height: 800 },
  { name: "article-phone-dark", path: ARTICLE, width: 390, height: 800, colorScheme: "dark" },
  { name: "search", path: "/search?q=tomattoes" },
  { name: "profile", path: "/mara_lindqvist" },
  { name: "listings", path: "/listings" },
  { name: "api-docs", path: "/api/docs/articles/getArticles", format: "png" },
  { name: "sign-in", path: "/signin" },
  { name: "keys", path: "/settings/keys", isSignedIn: true },
  { name: "keys-phone", path: "/settings/keys", isSignedIn: true, width: 390, height: 800 },
  { name: "menu", path: "/", isSignedIn: true, act: (page) => page.click(".viewer-menu summary") },
  { name: "sign-up", path: "/signup", height: 1_000 },
  { name: "sign-up-error-phone", path: "/signup", width: 390, height: 800, act: joinWithFaults },
  { name: "two-factor", path: "/settings/two-factor", isSignedIn: true, height: 1_000 },
  { name: "mail", path: "/", width: 720, height: 300, act: showMail },
];

const OF_SET_UP: readonly Shot[] = [{ name: "set-up", path: setUp?.pathname ?? "", height: 1_100 }];

await mkdir(FOLDER, { recursive: true });
const close = openBrowser();
const chromium = await launch("/etc/fonts/fonts.conf");
const session = setUp ? undefined : await beginSession();
const wanted = ({ name }: Shot) => values.only?.includes(name) ?? true;
for (const shot of (setUp ? OF_SET_UP : OF_SITE).filter(wanted)) {
  const { name, path, width = 1_280, height = 800, colorScheme = "light", format, isSignedIn, act } = shot;
  const context = await chromium.newContext({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1.5,
    ...(isSignedIn && session && { storageState: session }),
  });
  const page = await context.newPage();
  await page.goto(BASE_URL + path, { waitUntil: "networkidle" });
  await act?.(page);
  const png = await page.screenshot();
  const image = format === "png" ? sharp(png).png({ palette: true }) : sharp(png).webp({ quality: 82 });
  await image.toFile(join(FOLDER, `${name}.${format ?? "webp"}`));
  await context.close();
}
await chromium.close();
close();

/** By the link, which works once. */
async function beginSession() {
  const context = await chromium.newContext();
  const page = await context.newPage();
  await page.goto(String(signIn));
  await page.click("form.form button");
  await page.waitForURL(`${BASE_URL}/`);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function joinWithFaults(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("Mara Lindqvist");
  await page.getByLabel("Username").fill("mara_lindqvist");
  await page.getByLabel("E-mail address").fill("mara.example.com");
  await page.getByLabel("Password", { exact: true }).fill("short");
  // Forms that come back within 2 seconds are of programs.
  await page.waitForTimeout(2_500);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("There is a problem").waitFor();
}

async function showActs(page: Page): Promise<void> {
  await page.locator("main .acts").first().scrollIntoViewIfNeeded();
}

async function showComments(page: Page): Promise<void> {
  await page.getByLabel("Your comment").scrollIntoViewIfNeeded();
}

/** A mail as programs of mail show its HTML. */
async function showMail(page: Page): Promise<void> {
  const mail = await readFile(join(ROOT, "test", "golden", "mails", "invitation.txt"), "utf8");
  // The policy of the site leaves no style of a mail.
  await page.goto("about:blank");
  await page.setContent(mail.slice(mail.indexOf("<!doctype html>")));
}
