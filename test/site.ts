import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import type { Result } from "axe-core";
import type { BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import * as sessions from "../src/community/users/sessions.ts";
import type { Config } from "../src/platform/config.ts";
import type { Settings } from "../src/platform/settings/fields.ts";
import * as settings from "../src/platform/settings/settings.ts";
import { browser } from "./browser.ts";
import { localServer, mailingIn, startMailServer } from "./mail-server.ts";
import { PATIENCE_MS, cases, sample } from "./setup.ts";
import { demoTemplate } from "./community-file.ts";
import { startWorld, type World } from "./world.ts";

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

/** All kinds of readers in the long form, otherwise the first and its opposite. */
export const READERS = sample(
  [
    ["with JavaScript", 1280, "light"],
    ["with JavaScript", 360, "dark"],
    ["without JavaScript", 360, "dark"],
    ["without JavaScript", 1280, "light"],
  ] as const,
  2,
).map(([scripts, width, colorScheme]) => ({
  scripts,
  width,
  colorScheme,
  options: {
    javaScriptEnabled: scripts === "with JavaScript",
    viewport: { width, height: 800 },
    colorScheme,
  },
}));

export const PASSWORD = "a heron over still water";

/** A community of Lena Ortiz, its admin, on a port, with a mail server; its clock stands still. */
export function joiningSite() {
  const site = siteForAll({ demo: false });
  let now = new Date();
  let lena: number;
  let post: Awaited<ReturnType<typeof startMailServer>>;
  beforeAll(async () => {
    post = await startMailServer();
    site.world.setNow(now);
    lena = (await site.world.user({ username: "lena", name: "Lena Ortiz", role: "admin" })).id;
  });
  afterAll(() => post.stop());

  return {
    open: site.open,
    get world() {
      return site.world;
    },
    get origin() {
      return site.origin;
    },
    get mailServer() {
      return post;
    },
    get lena() {
      return lena;
    },
    get now() {
      return now;
    },
    later(seconds: number) {
      site.world.setNow((now = new Date(now.getTime() + seconds * 1_000)));
    },
    async begin(registration: Settings["registration"], { hasMail }: { hasMail: boolean }) {
      site.world.context.config.mail = hasMail ? localServer(post.port) : undefined;
      await settings.set(site.world.db, "registration", registration);
    },
    /** Sends the mails that wait; the link in the last one to an address. */
    async linkTo(address: string): Promise<string> {
      await mailingIn(site.world).send({ server: localServer(post.port) });
      const mail = post.received.findLast(({ to }) => to.includes(address))?.mail;
      return new RegExp(`${site.origin}/\\S+`).exec(mail?.text ?? "")?.[0] ?? "";
    },
    /** Shows a path in the browser of the admin. */
    async openAsAdmin(path: string): Promise<Page> {
      const token = await sessions.begin(site.world.db, { userId: lena, network: "", browser: "" }, now);
      const { page } = await site.open("/signin");
      await page.context().addCookies([{ name: "session", value: token, url: site.origin }]);
      await page.goto(site.origin + path);
      return page;
    },
    /** Asks for the link of a sign-up, later than a program would. */
    async askForLink(page: Page, email: string) {
      await page.getByLabel("E-mail address").fill(email);
      this.later(5);
      await page.getByRole("button", { name: "Send me a link" }).click();
    },
    /** Fills in and sends the form of sign-up, later than a program would. */
    async join(
      page: Page,
      { username, email, reason }: { username: string; email?: string; reason?: string },
    ) {
      await page.getByLabel("Your name").fill("Mo Ito");
      await page.getByLabel("Username").fill(username);
      if (email !== undefined) await page.getByLabel("E-mail address").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      if (reason !== undefined) await page.getByLabel("Why do you want to join?").fill(reason);
      this.later(5);
      await page.locator("form[action='/signup'] button:not([type])").click();
    },
  };
}

/** Puts a text into a field from the clipboard. */
export async function paste(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press("Control+A");
  await field.press("Control+X");
  expect(await field.inputValue()).toBe("");
  await field.press("Control+V");
  expect(await field.inputValue()).toBe(text);
}

/** Presses Tab until an element has the focus. */
export async function tabTo(element: Locator): Promise<void> {
  const hasFocus = () => element.evaluate((each) => each === document.activeElement);
  for (let presses = 0; presses < 60; presses++) {
    if (await hasFocus()) return;
    await element.page().keyboard.press("Tab");
  }
  throw new Error("Tab doesn't reach the element.");
}
