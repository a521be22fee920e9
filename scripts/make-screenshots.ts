/**
 * Takes the pictures of docs/images from a running demo: `npm run demo`, then `npm run screenshots`. On Linux, with the fonts
 * of this computer: on Debian, install fonts-noto-core, fonts-noto-color-emoji and fonts-liberation first.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import openBrowser, { launch } from "../test/browser.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "docs", "images");
const BASE_URL = process.argv[2] ?? "http://localhost:3000";

interface Shot {
  name: string;
  path: string;
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  /** WebP by default. */
  format?: "png";
}

const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";

const SHOTS: readonly Shot[] = [
  { name: "home", path: "/" },
  { name: "home-dark", path: "/", colorScheme: "dark" },
  { name: "home-phone", path: "/", width: 390, height: 800 },
  { name: "article", path: ARTICLE, height: 1_000 },
  { name: "article-phone-dark", path: ARTICLE, width: 390, height: 800, colorScheme: "dark" },
  { name: "search", path: "/search?q=tomattoes" },
  { name: "profile", path: "/mara_lindqvist" },
  { name: "listings", path: "/listings" },
  { name: "api-docs", path: "/api/docs/articles/getArticles", format: "png" },
];

await mkdir(FOLDER, { recursive: true });
const close = openBrowser();
const chromium = await launch("/etc/fonts/fonts.conf");
for (const { name, path, width = 1_280, height = 800, colorScheme = "light", format } of SHOTS) {
  const context = await chromium.newContext({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1.5,
  });
  const page = await context.newPage();
  await page.goto(BASE_URL + path, { waitUntil: "networkidle" });
  const png = await page.screenshot();
  const image = format === "png" ? sharp(png).png({ palette: true }) : sharp(png).webp({ quality: 82 });
  await image.toFile(join(FOLDER, `${name}.${format ?? "webp"}`));
  await context.close();
}
await chromium.close();
close();
