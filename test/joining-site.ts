import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { Settings } from "../src/platform/settings/fields.ts";
import * as settings from "../src/platform/settings/settings.ts";
import * as sessions from "../src/community/users/sessions.ts";
import { localServer, mailingIn, startMailServer } from "./mail-server.ts";
import { siteForAll } from "./site.ts";

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
