import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/platform/db/connect.ts";
import { wordsIn } from "../canary.ts";
import { superuserTo } from "../database.ts";
import { PASSWORD as MAIL_PASSWORD, startMailServer } from "../mail-server.ts";
import { commandsForAll, urlOf } from "../commands.ts";
import { startServerProcess } from "../servers.ts";
import { until } from "../waiting.ts";

const site = commandsForAll();
const PASSWORD = "a heron over still water";

let post: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  post = await startMailServer({ auth: true });
});
afterAll(() => post.stop());

const tokensIn = (text: string) => text.match(/(?<=\/)[\w-]{43}(?![\w-])/g) ?? [];

test("no token of a mail or of an invitation is in a table or in the log", async () => {
  await site.inkstone(["user", "create", "--username", "lena", "--name", "Lena", "--role", "admin"]);
  await site.inkstone(["settings", "set", "registration", "open"]);
  const { out: link } = await site.inkstone(["user", "sign-in-link", "lena"]);
  const server = await startServerProcess(urlOf(site.database.name), {
    LOG_LEVEL: "debug",
    MAIL_URL: `smtp://${encodeURIComponent("site@example.org")}:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:${post.port}`,
    MAIL_FROM: "site@example.org",
  });
  const { origin } = server;
  const send = (path: string, values: Record<string, string>, cookie = "") =>
    fetch(origin + path, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", origin, cookie },
      body: new URLSearchParams(values),
    });
  const newestMail = async (count: number) => {
    await until(() => post.received.length === count);
    return post.received[count - 1]?.mail.text ?? "";
  };
  const secrets = [PASSWORD, MAIL_PASSWORD];
  const cookieOf = ({ headers }: Response) => {
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    secrets.push(cookie.split("=")[1] ?? "");
    return cookie;
  };

  const lena = cookieOf(await send(new URL(link.trim()).pathname, {}));
  const invitationPage = await (await send("/settings/invitations", {}, lena)).text();
  secrets.push(...tokensIn(invitationPage));
  await send("/settings/invitations", { email: "wen@example.com" }, lena);
  secrets.push(...tokensIn(await newestMail(1)));

  const mo = { name: "Mo", username: "mo", email: "mo@example.com", password: PASSWORD, shown: "0" };
  await send("/signup", mo);
  const [ofSignUp = ""] = tokensIn(await newestMail(2));
  await fetch(`${origin}/signup/${ofSignUp}?email=mo%40example.com`);
  const member = cookieOf(await send("/signup", { ...mo, link: ofSignUp }));
  await send("/settings/account", { email: "mo@new.example" }, member);
  const [token = ""] = tokensIn(await newestMail(3));
  await fetch(`${origin}/confirm/${token}`);
  await send(`/confirm/${token}`, {});
  await newestMail(4);
  await send("/reset", { login: "mo@new.example" });
  const [reset = ""] = tokensIn(await newestMail(5));
  cookieOf(await send(`/signin/link/${reset}`, {}));
  secrets.push(ofSignUp, token, reset);

  expect(secrets.filter((each) => each.length < PASSWORD.length && each !== MAIL_PASSWORD)).toEqual([]);
  expect(new Set(secrets).size).toBe(10);
  const { db } = connect({ connection: superuserTo(site.database.name), poolSize: 1 });
  const found = await wordsIn(db, secrets);
  await db.destroy();
  const log = server.output();
  await server.kill();
  expect(found).toEqual(new Map());
  expect(log).toContain("/confirm/:token");
  expect(secrets.filter((each) => log.includes(each))).toEqual([]);
});
