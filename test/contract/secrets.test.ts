import { expect, test } from "vitest";
import { wordsIn } from "../canary.ts";
import { commandsForAll, urlOf } from "../commands.ts";
import { codeAt } from "../accounts.ts";
import { superuserTo } from "../database.ts";
import { connect } from "../../src/platform/db/connect.ts";
import { startServerProcess } from "../servers.ts";

const site = commandsForAll();
const PASSWORD = "a heron over still water";
const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };

test("no password, token, key and code is in a table or in the log", async () => {
  const create = ["user", "create", "--username", "lena", "--name", "Lena", "--password-stdin", "--with-key"];
  const made = JSON.parse((await site.inkstone([...create, "--json"], { input: PASSWORD })).out) as {
    api_key: string;
  };
  const { out: link } = await site.inkstone(["user", "sign-in-link", "lena"]);
  const server = await startServerProcess(urlOf(site.database.name), { LOG_LEVEL: "debug" });
  const { origin } = server;
  const post = (path: string, values: Record<string, string>, cookie = "") =>
    fetch(origin + path, {
      method: "POST",
      redirect: "manual",
      headers: { ...FORM, origin, cookie },
      body: new URLSearchParams(values),
    });
  const signedIn = await post("/signin", { login: "lena", password: PASSWORD });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const path = new URL(link.trim()).pathname;
  await fetch(origin + path);
  const byLink = await post(path, {});
  const another = byLink.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await (await post("/settings/keys", { description: "Sync" }, another)).text();
  const key = /ink_\w{38}/.exec(page)?.[0] ?? "";
  await fetch(`${origin}/api/users/me`, { headers: { "api-key": key } });
  const factorPage = await (
    await fetch(`${origin}/settings/two-factor`, { headers: { accept: "text/html", cookie: another } })
  ).text();
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(factorPage)?.[1] ?? "";
  const values = { secret, code: codeAt(secret, new Date()) };
  const codesPage = await (await post("/settings/two-factor", values, another)).text();
  const codes = codesPage.match(/([A-Z2-7]{4}-){5}[A-Z2-7]{4}/g) ?? [];
  const [first = "", second = ""] = codes;
  const waiting =
    (await post("/signin", { login: "lena", password: PASSWORD })).headers.get("set-cookie") ?? "";
  const unfinished = waiting.split(";")[0] ?? "";
  const finished = await post("/signin/code", { code: first }, unfinished);
  expect(finished.status).toBe(303);
  const secrets = [PASSWORD, made.api_key, key, cookie, another, path, unfinished, first, second].map(
    (text) => text.split(/[=/]/).at(-1) ?? "",
  );
  secrets.push(first.replaceAll("-", ""), second.replaceAll("-", ""));
  expect([...secrets, secret].filter((each) => each.length <= 20)).toEqual([]);
  const { db } = connect({ connection: superuserTo(site.database.name), poolSize: 1 });
  const found = await wordsIn(db, [...secrets, secret]);
  await db.destroy();
  const log = server.output();
  await server.kill();
  // Codes are made from it.
  expect(found).toEqual(new Map([[secret, ["public.second_factors"]]]));
  expect(log).toContain("/signin/link/:token");
  expect([...secrets, secret].filter((each) => log.includes(each))).toEqual([]);
});
