import { beforeAll, beforeEach } from "vitest";
import { hashPassword } from "../src/community/users/password-hash.ts";
import { cookieFor, PASSWORD, postForm } from "./accounts.ts";
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
