import { beforeAll, describe, expect, test } from "vitest";
import { cookieFor, postForm } from "../../../test/accounts.ts";
import { localServer } from "../../../test/mail-server.ts";
import { readPage } from "../../../test/documents.ts";
import { worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as factors from "../../community/users/second-factor.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const PAGES = ["/signin", `/signin/link/${"A".repeat(43)}`, "/signin/code", "/confirm-password"];

const MAIL = localServer(25);

describe.each([
  ["with mail", MAIL],
  ["without mail", undefined],
])("%s", (_, mail) => {
  const isOn = mail !== undefined;
  const cookies: Record<string, string> = {};

  const world = worldForAll({ now: NOW, config: { mail } });
  beforeAll(async () => {
    for (const username of ["lena", "mara"]) {
      const { id } = await world.user({ username, email: `${username}@mail.example` });
      if (username === "mara") await factors.storeSecret(world.db, id, "A".repeat(32), NOW);
      cookies[username] = await cookieFor(world, id);
    }
  });

  const cookiesBy: Record<string, string> = { "/signin/code": "mara", "/confirm-password": "lena" };
  const read = (url: string, cookie = cookies[cookiesBy[url] ?? ""] ?? "") =>
    readPage(world, url, { headers: { cookie, accept: "text/html", host: "ink.example" } });
  /** Whether a page leads to a mail, and to an admin. */
  const helpIn = (text: string) => [
    text.includes('Forgotten your password? <a href="/reset">Get a link by email</a>'),
    text.includes("Ask an admin for a link that signs you in."),
  ];

  test.each(PAGES)("%s says how to get a link", async (url) => {
    const { text } = await read(url);
    expect(helpIn(text)).toEqual([isOn, !isOn]);
  });

  test("the refusal of a form says how to get a link", async () => {
    const { status, text } = await postForm(world, "/settings/reading");
    expect([status, ...helpIn(text)]).toEqual([401, isOn, !isOn]);
  });

  test("/reset has the form, with the name of a member, or says whom to ask", async () => {
    const { text } = await read("/reset", cookies["lena"]);
    expect(text.includes('value="lena"')).toBe(isOn);
    const { words } = await read("/reset");
    expect(words).toContain(isOn ? "Send the link" : "This site sends no emails. Ask an admin for a link");
    await settings.set(world.db, "contact_email", "help@mail.example");
    expect((await read("/reset")).words).toContain("Write to help@mail.example for a link");
    await settings.set(world.db, "contact_email", "");
  });

  test("a form of /reset stores a mail, or nothing", async () => {
    const { status, headers } = await postForm(world, "/reset", { login: "lena" });
    expect([status, headers["location"]]).toEqual([303, isOn ? "/reset?done=sent" : "/reset"]);
    const mails = await world.db.selectFrom("mails").select("user_id").execute();
    const counted = await world.db.selectFrom("sign_in_failures").select("failures").execute();
    expect([mails.length, counted.length > 0]).toEqual([isOn ? 1 : 0, isOn]);
  });
});
