import type { Page } from "playwright-core";
import { beforeAll } from "vitest";
import { hashPassword } from "../src/community/users/password-hash.ts";
import * as sessions from "../src/community/users/sessions.ts";
import { PASSWORD, siteForAll } from "./site.ts";

/** A community of ada, who writes in a browser. */
export function writingSite() {
  const site = siteForAll({ demo: false });
  let ada: number;
  beforeAll(async () => {
    ada = (await site.world.user({ username: "ada" })).id;
    const password_hash = await hashPassword(PASSWORD);
    await site.world.db.updateTable("users").set({ password_hash }).execute();
  });
  return {
    get world() {
      return site.world;
    },
    get origin() {
      return site.origin;
    },
    /** A page of ada. Narrow, so that only the tests of previews ask for them. */
    async open({ path = "/new", width = 800, text = "" } = {}): Promise<Page> {
      const begun = { userId: ada, network: "", browser: "" };
      const value = await sessions.begin(site.world.db, begun, new Date());
      const where = { domain: "127.0.0.1", path: "/", expires: -1 };
      const more = { httpOnly: true, secure: false, sameSite: "Lax" as const };
      const storageState = { cookies: [{ name: "session", value, ...where, ...more }], origins: [] };
      const { page } = await site.open(path, { viewport: { width, height: 900 }, storageState });
      if (text !== "") await field(page).fill(text);
      return page;
    },
    /** The articles whose text has these words. */
    written: (words: string) =>
      site.world.db.selectFrom("articles").selectAll().where("body_markdown", "like", `%${words}%`).execute(),
    draft: (text: string) =>
      site.world.article({ username: "ada" }, { published: false, body_markdown: text }),
  };
}

export const field = (page: Page) => page.locator("#body_markdown");
export const status = (page: Page) => page.locator("#editor-status").textContent();
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const select = (page: Page, from: number, to: number) =>
  page.evaluate(`document.querySelector("#body_markdown").setSelectionRange(${from}, ${to})`);
/** The texts that the browser keeps. */
export const copies = (page: Page) =>
  page.evaluate<string[]>(`Object.entries(localStorage).flatMap(([name, text]) =>
    name.startsWith("editor ") ? [JSON.parse(text).fields.body_markdown] : [])`);
/** Pastes or drops a picture into the text. */
export const give = (page: Page, event: "paste" | "drop", name: string, bytes: Buffer) =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob("${bytes.toString("base64")}"),
      (each) => each.charCodeAt(0))], "${name}", { type: "image/png" }));
    const more = { bubbles: true, cancelable: true };
    document.querySelector("#body_markdown").dispatchEvent("${event}" === "paste"
      ? new ClipboardEvent("paste", { clipboardData: data, ...more })
      : new DragEvent("drop", { dataTransfer: data, ...more }));
  })()`);

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Username or e-mail address").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Sign in").click();
}
