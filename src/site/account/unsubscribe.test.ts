import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";
import * as choices from "../../mail/choices.ts";
import { enqueue } from "../../mail/queue.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as sessions from "../../community/users/sessions.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const after = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const KIND = "webhook_disabled";

let lena: number;
let token: string;

const world = worldForAll({ now: NOW });
beforeEach(async () => {
  world.setNow(NOW);
  lena = (await world.user()).id;
  token = await choices.createLink(world.db, { userId: lena, kind: KIND }, NOW);
});

/** Beside those of mentions, which are off at first. */
const off = async (userId = lena) =>
  [...(await choices.turnedOff(world.db, userId))].filter((kind) => kind !== "mention");
const URL_ENCODED = "application/x-www-form-urlencoded";

/** As the program of a mailbox sends it, from another site and without a cookie. */
const post = (path: string, body = "List-Unsubscribe=One-Click", headers: Record<string, string> = {}) =>
  world.request({
    method: "POST",
    url: path,
    headers: { "content-type": URL_ENCODED, "sec-fetch-site": "cross-site", ...headers },
    body,
  });

describe("the link in a mail", () => {
  test("shows a button, and changes nothing by that", async () => {
    const { status, text, headers } = await world.get(`/unsubscribe/${token}`);
    expect([status, headers["referrer-policy"], headers["cache-control"]]).toEqual([
      200,
      "strict-origin",
      "private, no-store",
    ]);
    expect(text).toContain("You get an email when a webhook endpoint of yours is disabled.");
    expect(text).toContain("Turn these emails off");
    expect(await off()).toEqual([]);
  });

  test("turns the kind off for its user alone by a POST from anywhere, and on again", async () => {
    const other = (await world.user()).id;
    const { status, text } = await post(`/unsubscribe/${token}`);
    expect(status).toBe(200);
    expect(text).toContain("You get no email any more when a webhook endpoint of yours is disabled.");
    expect([await off(), await off(other)]).toEqual([[KIND], []]);
    await post(`/unsubscribe/${token}`);
    expect(await off()).toEqual([KIND]);
    expect((await post(`/unsubscribe/${token}`, "undo=1")).text).toContain("You get an email again when");
    expect(await off()).toEqual([]);
  });

  test("takes the form with parts that RFC 8058 allows", async () => {
    const part = 'Content-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click';
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    expect((await post(`/unsubscribe/${token}`, `--x\r\n${part}\r\n--x--\r\n`, headers)).status).toBe(200);
    expect(await off()).toEqual([KIND]);
  });

  test("works for a year, in a private community too, and none opens anything else", async () => {
    world.setNow(after(364));
    await settings.set(world.db, "visibility", "private");
    expect((await world.get(`/unsubscribe/${token}`)).status).toBe(200);
    await settings.set(world.db, "visibility", "public");
    world.setNow(after(365));
    expect((await world.get(`/unsubscribe/${token}`)).status).toBe(404);
    expect((await post(`/unsubscribe/${token}`)).status).toBe(404);
    world.setNow(NOW);
    for (const path of [`/signin/link/${token}`, `/setup/${token}`])
      expect((await world.get(path)).status).toBe(404);
    for (const unknown of ["x", "A".repeat(43), `${token}x`])
      expect((await post(`/unsubscribe/${unknown}`)).status).toBe(404);
    expect(await off()).toEqual([]);
  });

  test("is the one form that another site may send", async () => {
    for (const path of ["/signin", "/settings/notifications", `/signin/link/${token}`, "/unsubscribe"])
      expect([path, (await post(path)).status]).toEqual([path, 403]);
  });
});

describe("the settings", () => {
  const asLena = async () => ({
    cookie: `__Host-session=${await sessions.begin(world.db, { userId: lena, network: "", browser: "" }, NOW)}`,
  });
  const PATH = "/settings/notifications";
  const checkedIn = (html: string) =>
    [...html.matchAll(/<input type="checkbox"[^>]*>/g)].flatMap(([box]) =>
      box.includes("checked") ? [/name="(.*?)"/.exec(box)?.[1]] : [],
    );

  const server = { host: "127.0.0.1", port: 1, isSecure: false, login: undefined };
  const MAIL = { ...server, from: { name: "", address: "hello@loom.example" } };
  beforeEach(() => void (world.context.config.mail = MAIL));
  afterAll(() => void (world.context.config.mail = undefined));

  test("turn kinds off and on, and name those that always come", async () => {
    const headers = await asLena();
    const { text } = await world.get(PATH, { headers });
    expect(text).toContain("your password is changed");
    expect(checkedIn(text)).toEqual(["comment_reply", "article_comment", KIND]);
    const own = { ...headers, "sec-fetch-site": "same-origin" };
    const { headers: sent } = await post(PATH, "", own);
    expect(sent["location"]).toBe(`${PATH}?done=saved`);
    expect(checkedIn((await world.get(PATH, { headers })).text)).toEqual([]);
    await post(PATH, `${KIND}=1&mention=1&sign_in_link=`, own);
    expect(checkedIn((await world.get(PATH, { headers })).text)).toEqual(["mention", KIND]);
    expect([...(await choices.turnedOff(world.db, lena))]).toEqual(["comment_reply", "article_comment"]);
  });

  test("say where mails go, and why the last one failed", async () => {
    const headers = await asLena();
    const shown = async () => (await world.get(PATH, { headers })).text;
    world.context.config.mail = undefined;
    expect(await shown()).toContain("This site sends no emails.");
    for (const part of ["You always get one", "checkbox"]) expect(await shown()).not.toContain(part);
    world.context.config.mail = MAIL;
    for (const part of ["You have no e-mail address here", "You always get one", "checkbox"])
      expect(await shown()).toContain(part);
    await world.db.updateTable("users").set({ email: "lena@x.example" }).where("id", "=", lena).execute();
    await enqueue(world.db, { kind: "password_changed", userId: lena, about: {} }, NOW);
    const failed = { state: "failed", reply: "550 Full", next_attempt_at: null, finished_at: NOW };
    await world.db.updateTable("mails").set(failed).execute();
    expect(await shown()).toContain("lena@x.example");
    expect(await shown()).toContain("The last email to it couldn’t be delivered: 550 Full");
  });
});
