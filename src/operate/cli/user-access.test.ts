import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandsForAll } from "../../../test/commands.ts";
import { checkPassword } from "../../community/users/password-hash.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as links from "../../community/users/one-time-links.ts";
import * as factors from "../../community/users/second-factor.ts";
import * as sessions from "../../community/users/sessions.ts";
import { readConfig } from "../../platform/config.ts";
import { prepareFirstAdmin } from "./set-up.ts";

const site = commandsForAll();
const PASSWORD = "a heron over still water";
const DEVICE = { network: "203.0.113.0/24", browser: "Firefox" };

async function json(args: string[], input?: string): Promise<Record<string, unknown>> {
  const { code, out, err } = await site.inkstone([...args, "--json"], input === undefined ? {} : { input });
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as Record<string, unknown>;
}

const stored = (username: string) =>
  site.database.db.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirstOrThrow();

const tokenIn = (url: unknown) => String(url).split("/").at(-1) ?? "";

describe("before there is an admin", () => {
  test("setup-link prints a link", async () => {
    const made = await json(["setup-link"]);
    expect(made).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:3000\/setup\/[\w-]{43}$/),
      expires_in_seconds: 1_800,
    });
    expect(await links.setsUp(site.database.db, tokenIn(made["url"]), new Date())).toBe(true);
  });

  test.each([
    ["ADMIN_PASSWORD_FILE names", "missing", "x"],
    ["The admin of ADMIN_USERNAME can't be made: Password is too short", "short.txt", "short\n"],
    ["The admin of ADMIN_USERNAME can't be made: Password is one of those", "common.txt", "password1\n"],
  ])("the environment that is wrong stops a start: %s", async (sentence, name, text) => {
    const passwordFile = join(site.folder, name);
    if (name !== "missing") await writeFile(passwordFile, text);
    const config = {
      ...readConfig({}),
      admin: { username: "ada", email: "", isContact: false, passwordFile },
    };
    await expect(prepareFirstAdmin(site.database.db, config)).rejects.toThrow(sentence);
  });

  test("the environment makes one, once", async () => {
    const passwordFile = join(site.folder, "password.txt");
    await writeFile(passwordFile, `${PASSWORD}\n`);
    const admin = { username: "ada", email: "ada@example.com", isContact: true, passwordFile };
    const config = { ...readConfig({}), admin };
    expect(await prepareFirstAdmin(site.database.db, config)).toBeUndefined();
    const { role, email, password_hash } = await stored("ada");
    expect({ role, email }).toEqual({ role: "admin", email: "ada@example.com" });
    expect((await checkPassword(PASSWORD, password_hash)).isRight).toBe(true);
    expect(await settings.read(site.database.db)).toMatchObject({ contact_email: "ada@example.com" });
    const another = { ...config, admin: { ...config.admin, username: "eve", passwordFile: "missing" } };
    expect(await prepareFirstAdmin(site.database.db, another)).toBeUndefined();
    expect((await site.inkstone(["setup-link"])).err).toContain("This site has an admin, who signs in");
  });
});

describe("inkstone user", () => {
  test("create shows an address as the contact of the site where it is asked to", async () => {
    const create = ["user", "create", "--username", "noor", "--name", "Noor", "--contact"];
    expect(await site.inkstone(create)).toMatchObject({ code: 2, err: expect.stringContaining("--email") });
    await json([...create, "--email", "noor@example.com"]);
    expect(await settings.read(site.database.db)).toMatchObject({ contact_email: "noor@example.com" });
  });

  test("create takes a password from standard input", async () => {
    const args = ["user", "create", "--username", "lena", "--name", "Lena", "--password-stdin"];
    await json(args, `${PASSWORD}\n`);
    expect((await checkPassword(PASSWORD, (await stored("lena")).password_hash)).isRight).toBe(true);
    const none = await site.inkstone([...args.slice(0, 3), "mara", ...args.slice(4)], { input: "" });
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("Standard input has no password") });
  });

  test("password sets another one and ends the sessions", async () => {
    const { id } = await stored("lena");
    const token = await sessions.begin(site.database.db, { userId: id, ...DEVICE }, new Date());
    const args = ["user", "password", "lena", "--password-stdin"];
    expect(await json(args, "another good long one")).toEqual({ id, username: "lena", ended_sessions: 1 });
    expect(await sessions.authenticate(site.database.db, token, new Date())).toBeUndefined();
    const logged = () => site.database.db.selectFrom("staff_log").select(["act", "detail"]).execute();
    expect((await logged()).at(-1)).toEqual({ act: "edit_user", detail: "password" });
    await json(["user", "create", "--username", "moss", "--name", "Root", "--role", "moderator"]);
    expect((await logged()).at(-1)).toEqual({ act: "change_role", detail: "member to moderator" });
    const weak = await site.inkstone(args, { input: "lena" });
    expect(weak).toMatchObject({ code: 1, err: expect.stringContaining("Password is too short") });
    const { password_hash } = await stored("lena");
    expect((await checkPassword("another good long one", password_hash)).isRight).toBe(true);
  });

  test("sign-in-link prints a link that works once, and its user gets a notification", async () => {
    const { id } = await stored("lena");
    const { url, ...rest } = await json(["user", "sign-in-link", "Lena"]);
    const notifications = site.database.db.selectFrom("notifications").select(["user_id", "kind", "notice"]);
    expect(await notifications.execute()).toEqual([
      {
        user_id: id,
        kind: "security",
        notice: expect.stringMatching(/^The operator or an admin of the site made a link/),
      },
    ]);
    expect(rest).toEqual({ id, username: "lena", expires_in_seconds: 1_800 });
    expect(await links.use(site.database.db, tokenIn(url), new Date())).toMatchObject({ owner: id });
    expect(await links.use(site.database.db, tokenIn(url), new Date())).toBeUndefined();
    expect((await site.inkstone(["user", "sign-in-link", "nobody"])).err).toContain(
      'There is no user "nobody"',
    );
  });

  test("disable-two-factor turns a second factor off", async () => {
    const { id } = await stored("lena");
    const args = ["user", "disable-two-factor", "Lena"];
    expect(await json(args)).toEqual({ id, username: "lena", changed: false });
    await factors.storeSecret(site.database.db, id, "A".repeat(32), new Date());
    expect((await site.inkstone(args)).out).toBe("Turned the second factor of lena off.\n");
    expect(await factors.find(site.database.db, id)).toBeUndefined();
    expect((await site.inkstone(args)).out).toBe("lena has no second factor.\n");
    expect((await site.inkstone([...args.slice(0, 2), "nobody"])).err).toContain('There is no user "nobody"');
  });
});
