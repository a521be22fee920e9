import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import type { Result } from "axe-core";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Config } from "../src/platform/config.ts";
import { browser } from "./browser.ts";
import { cases } from "./long.ts";
import { PATIENCE_MS } from "./setup.ts";
import { demoTemplate, startWorld, type World } from "./world.ts";

/** A page in the browser, with everything that went wrong in it. */
export interface Visit {
  page: Page;
  /** Errors of the console, refusals by the policy, failed and foreign requests. */
  faults: string[];
}

/** The site that this worker serves now. */
let current: World | undefined;
let address: Promise<string> | undefined;

/** One origin for all sites of this worker, which the texts of the demo name. */
const ownOrigin = () => (address ??= listen());

async function listen(): Promise<string> {
  const options = { allowHalfOpen: true, noDelay: true };
  const door = createServer(options, (socket) => {
    if (current === undefined) socket.destroy();
    else current.app.server.emit("connection", socket);
  });
  door.listen(0, "127.0.0.1").unref();
  await once(door, "listening");
  return `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
}

/** The demo community on a port, for all tests of a file. */
export function siteForAll({
  demo = true,
  config = {},
  isNew = false,
}: { demo?: boolean; config?: Partial<Config>; isNew?: boolean } = {}) {
  let world: World;
  let origin: string;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    origin = await ownOrigin();
    const template = demo ? await demoTemplate(origin) : undefined;
    world = await startWorld({ config: { ...config, baseUrl: origin }, template, isNew });
    // Connections that come to the origin are closed with the server only while it listens.
    await world.app.listen({ port: 0, host: "127.0.0.1" });
    current = world;
    // Unpacking it takes longer than a test beside other work.
    await browser();
  });
  // Open pages cost memory and processor time.
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    current = undefined;
    await world.stop();
  });

  return {
    get world() {
      return world;
    },
    get origin() {
      return origin;
    },
    /** Opens a path as a reader with these settings would; without moving pages, so that no click comes too early. */
    async open(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
      const context = await (
        await browser()
      ).newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: "reduce",
        ...options,
      });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
      });
      page.on("dialog", (dialog) => {
        faults.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("requestfailed", (request) => {
        // The next page may come before a late picture.
        if (request.failure()?.errorText !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()}`);
      });
      page.on("request", (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
          faults.push(`foreign: ${request.url()}`);
      });
      await page.goto(origin + path);
      return { page, faults };
    },
  };
}

/** Minified, since each page of the browser gets and compiles it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The violations on a page, a line each: of WCAG 2.2 AA, or of these rules. */
export async function violations(page: Page, rules: readonly string[] = WCAG): Promise<string[]> {
  if (!(await page.evaluate("'axe' in self"))) await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: rules, resultTypes: ["violations"] });
  const found = (await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)) as Result[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

const WIDTHS = [320, 768, 1280];

/** Opposites first. */
const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
  { width: 768, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 320, colorScheme: "light" },
  { width: 768, colorScheme: "dark" },
] as const;

/**
 * The page fits every width. It is accessible in every theme and width in the long form, otherwise in `few` of them,
 * beginning with another for every `turn`.
 */
export async function expectReadable(page: Page, { few, turn = 0 }: { few: number; turn?: number }) {
  const height = 800;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate("document.documentElement.scrollWidth"), `at ${width} px`).toBe(width);
  }
  for (let number = 0; number < cases(LOOKS.length, few); number++) {
    const { width, colorScheme } = LOOKS[(number + (turn % 2)) % LOOKS.length] ?? LOOKS[0];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    expect(await violations(page), `${width} px, ${colorScheme}`).toEqual([]);
  }
}
