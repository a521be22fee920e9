import { beforeAll, describe, expect, test } from "vitest";
import * as choices from "../../src/mail/choices.ts";
import * as settings from "../../src/platform/settings/settings.ts";
import * as addresses from "../../src/community/users/addresses.ts";
import * as invitations from "../../src/community/users/invitations.ts";
import { createLink } from "../../src/community/users/joining.ts";
import * as links from "../../src/community/users/one-time-links.ts";
import { snapshot } from "../own-database.ts";
import { worldForAll } from "../world.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const KINDS = [
  ["a sign-in", "/signin/link"],
  ["a sign-up", "/signup"],
  ["an address", "/confirm"],
  ["an invitation", "/invite"],
  ["mails that end", "/unsubscribe"],
  ["the setting up", "/setup"],
] as const;
const PATHS = [...new Set(KINDS.map(([, path]) => path))];

/** What the forms of all these pages need. */
const FORM = {
  community_name: "Tinker Lab",
  registration: "open",
  name: "Mo Ito",
  username: "mo_2",
  email: "mo_2@example.com",
  password: "a heron over still water",
};

let tokens: Record<(typeof KINDS)[number][0], string>;

const world = worldForAll({ now: NOW, settings: { registration: "open", member_invitations: "5" } });
beforeAll(async () => {
  const { db } = world;
  const { id: userId } = await world.user({ username: "lena" });
  const waits = "lena@new.example";
  await addresses.wait(db, { userId, address: waits }, NOW);
  const invitation = { inviter: { id: userId, role: "admin" }, address: null, note: "" };
  const limits = { settings: settings.defaults(), now: NOW };
  tokens = {
    "a sign-in": await links.create(db, userId, NOW),
    "a sign-up": `${await createLink(db, FORM.email, NOW)}?email=${FORM.email}`,
    "an address": await addresses.createLink(db, { userId, address: waits }),
    "an invitation": (await invitations.create(db, invitation, limits)).token,
    "mails that end": await choices.createLink(db, { userId, kind: "webhook_disabled" }, NOW),
    "the setting up": await links.create(db, null, NOW),
  };
});

const get = (path: string) => world.get(path, { headers: { accept: "text/html" } });
const post = (url: string) =>
  world.request({
    method: "POST",
    url,
    headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(FORM).toString(),
  });

describe.each(KINDS)("the link of %s", (kind, own) => {
  test.each(PATHS.filter((path) => path !== own))(
    "opens nothing, and changes nothing, at %s",
    async (path) => {
      const before = await snapshot(world.superuser);
      const url = `${path}/${tokens[kind]}`;
      expect([(await get(url)).status, (await post(url)).status]).toEqual([404, 404]);
      expect(await snapshot(world.superuser)).toEqual(before);
    },
  );

  test.each([0, 5, 8, 13, 14, 41])("opens nothing when its character %i is another", async (index) => {
    const token = tokens[kind];
    const other = token[index] === "A" ? "B" : "A";
    expect((await get(`${own}/${token.slice(0, index)}${other}${token.slice(index + 1)}`)).status).toBe(404);
  });

  test("works at its own path", async () => {
    expect((await get(`${own}/${tokens[kind]}`)).status).toBe(200);
  });
});
