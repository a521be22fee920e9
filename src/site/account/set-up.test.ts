import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cookieOf, postForm } from "../../../test/accounts.ts";
import { startWorld, type World } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as links from "../../community/users/one-time-links.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const WANTED = {
  community_name: "Tinker Lab",
  community_description: "People who mend things.",
  registration: "closed",
  name: "Lena Ortiz",
  username: "lena",
  email: "lena@example.com",
  password: "a heron over still water",
};

let world: World;
let url: string;

beforeEach(async () => {
  world = await startWorld({ now: NOW, isNew: true });
  url = `/setup/${await links.create(world.db, null, NOW)}`;
});

afterEach(() => world.stop());

const post = (values: Record<string, string>) => postForm(world, url, values);

const users = () => world.superuser.selectFrom("users").select(["username", "role", "email"]).execute();

describe("a site without people", () => {
  test("says on its pages that it is being set up; the API answers", async () => {
    for (const page of ["/", "/signin"]) {
      const { status, headers, text } = await world.get(page, { headers: { accept: "text/html" } });
      expect({ status, retryAfter: headers["retry-after"] }).toEqual({ status: 503, retryAfter: "30" });
      expect(text).toContain("This site is being set up");
    }
    expect(await world.get("/api/articles")).toMatchObject({ status: 200, body: [] });
    expect((await world.get("/healthz")).status).toBe(200);
  });

  test("is set up by its link, once", async () => {
    expect((await world.get(url)).text).toContain("Set up this site");
    const done = await post(WANTED);
    expect(done).toMatchObject({ status: 303, headers: { location: "/admin" } });
    const cookie = cookieOf(done);
    expect((await world.get("/admin", { headers: { cookie } })).text).toContain("What is left to do");
    expect(await users()).toEqual([{ username: "lena", role: "admin", email: "lena@example.com" }]);
    expect((await world.get("/")).text).toContain("Tinker Lab");
    expect((await world.get(url)).status).toBe(404);
    expect((await post({ ...WANTED, username: "mara", email: "" })).status).toBe(404);
  });

  test.each([
    ["1", "lena@example.com"],
    ["", ""],
  ])("shows the admin's address as its contact where the box is ticked: %j", async (is_contact, contact) => {
    await post({ ...WANTED, ...(is_contact && { is_contact }) });
    expect(await settings.read(world.db)).toMatchObject({ contact_email: contact });
  });

  test("has one admin, however many set it up at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post({ ...WANTED, username: `admin_${index}`, email: "" })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await users()).toHaveLength(1);
  });

  test.each([
    [{ community_name: "" }, "Name of the community must be a text of 1 to 100 characters"],
    [{ registration: "anyone" }, "Who may join? must be one of open, approval, invite, closed"],
    [{ username: "a b" }, "Your username must have 2 to 30 characters"],
    [{ name: " " }, "Your name can't be blank"],
    [{ email: "nowhere" }, "Your e-mail address must be an address such as lena@example.com"],
    [{ email: "", is_contact: "1" }, "Your e-mail address can't be blank as the contact of the site"],
    [{ password: "short" }, "Password is too short"],
    [{ password: "Tinker Lab" }, "Password must not be the name of the community"],
  ])("isn't set up with %j, and keeps what was typed", async (wrong, sentence) => {
    const { status, text } = await post({ ...WANTED, ...wrong });
    expect(status).toBe(422);
    expect(text).toContain(sentence);
    expect(text).toContain("People who mend things.");
    expect(text).not.toContain(WANTED.password);
    expect(await users()).toEqual([]);
    expect((await world.get("/api/instance")).body).toMatchObject({ name: "Inkstone" });
  });

  test("by another link is unknown, and by its own after 30 minutes", async () => {
    for (const path of ["/setup/x", `/setup/${"A".repeat(43)}`])
      expect((await world.get(path)).status).toBe(404);
    world.setNow(new Date("2026-03-02T10:30:00Z"));
    expect((await world.get(url)).status).toBe(404);
    expect((await post(WANTED)).status).toBe(404);
  });
});
