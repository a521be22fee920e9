import type { Page } from "playwright-core";
import { beforeAll, beforeEach } from "vitest";
import { hashPassword } from "../src/community/users/password-hash.ts";
import * as sessions from "../src/community/users/sessions.ts";
import { cookieFor, PASSWORD, postForm } from "./accounts.ts";
import { siteForAll } from "./site.ts";
import { type World, worldForAll } from "./world.ts";

export const NOW = new Date("2026-03-31T12:00:00Z");
const LIMITS = {
  read_burst: "10000",
  write_burst: "10000",
  article_update_limit: "1000",
  article_create_limit: "100",
};

/** A world in which ada and bob, members, and lena, an admin, write; one for all tests of a file. */
export function editingForAll() {
  const world: World = worldForAll({ now: NOW, rateLimits: true, settings: LIMITS });
  const cookies: Record<string, string> = {};
  let minutes = 0;
  const join = async (username: string, role = "member") => {
    const { id } = await world.user({ username, role, registered_at: "2020-01-01T00:00:00Z" });
    cookies[username] = await cookieFor(world, id);
    return id;
  };
  beforeAll(async () => {
    for (const username of ["ada", "bob"]) await join(username);
    await join("lena", "admin");
    const password_hash = await hashPassword(PASSWORD);
    await world.db.updateTable("users").set({ password_hash }).execute();
  });
  // No test meets the limits of another.
  beforeEach(() => world.setNow(new Date(NOW.getTime() + 60_000 * ++minutes)));
  const headersOf = (who: string) => ({
    accept: "text/html",
    ...(who !== "" && { cookie: cookies[who] ?? "" }),
  });
  return {
    world,
    join,
    headersOf,
    get: (url: string, who = "ada") => world.get(url, { headers: headersOf(who) }),
    post: (url: string, values: Record<string, string>, who = "ada", headers = {}) =>
      postForm(world, url, values, { ...headersOf(who), ...headers }),
    rows: () => world.db.selectFrom("articles").selectAll().orderBy("id").execute(),
    rowOf: (id: number) =>
      world.db.selectFrom("articles").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    draft: (fields: object = {}) => world.article({ username: "ada" }, { published: false, ...fields }),
  };
}

export const plain = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The fields of the editor, as a browser without a script has them. */
export function fieldsOf(html: string): Record<string, string> {
  const text = html.replaceAll(/\r\n?/g, "\n");
  const [editor = ""] = /<form[^>]*id="editor".*?<\/form>/s.exec(text) ?? [];
  const values: Record<string, string> = {};
  for (const [input] of editor.matchAll(/<input [^>]*>/g)) {
    if (/type="(?:file|checkbox)"/.test(input)) continue;
    values[/ name="([^"]*)"/.exec(input)?.[1] ?? ""] = plain(/ value="([^"]*)"/s.exec(input)?.[1] ?? "");
  }
  for (const [, name = "", value = ""] of editor.matchAll(
    /<textarea[^>]* name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs,
  ))
    values[name] = plain(value.replace(/^\n/, ""));
  for (const [, name = "", options = ""] of editor.matchAll(
    /<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  ))
    values[name] = /<option [^>]*selected[^>]*>/.exec(options)?.[0].match(/value="([^"]*)"/)?.[1] ?? "";
  return values;
}

/** Browsers end lines with CRLF. */
export const sent = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll("\n", "\r\n")]));

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
