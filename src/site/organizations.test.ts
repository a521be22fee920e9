import { beforeAll, describe, expect, test } from "vitest";
import { cookieFor, postForm } from "../../test/accounts.ts";
import { added, columnsByTable, snapshot } from "../../test/own-database.ts";
import { form, FORM_TYPE, pngOf } from "../../test/pictures.ts";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll();
const cookies: Record<string, string> = {};
const ids: Record<string, number> = {};
beforeAll(async () => {
  for (const [username, role] of Object.entries({
    lena: "admin",
    mo: "moderator",
    ada: "member",
    ben: "member",
    cy: "member",
  })) {
    const { id } = await world.user({ username, role, name: `${username} Ito` });
    [cookies[username], ids[username]] = [await cookieFor(world, id), id];
  }
  await world.tag({ name: "wool" });
});

const get = (url: string, who: string) =>
  world.get(url, { headers: { accept: "text/html", cookie: cookies[who] ?? "" } });
const post = (url: string, values: Record<string, string>, who: string) =>
  postForm(world, url, values, { cookie: cookies[who] ?? "" });
const membersOf = async (username = "loomers") => {
  const rows = await world.db
    .selectFrom("organization_members")
    .innerJoin("users", "users.id", "user_id")
    .innerJoin("organizations", "organizations.id", "organization_id")
    .select(["users.username", "organization_members.role"])
    .where("organizations.username", "=", username)
    .orderBy("users.id")
    .execute();
  return Object.fromEntries(rows.map((row) => [row.username, row.role]));
};
const invited = () =>
  world.db.selectFrom("organization_invitations").select("user_id").orderBy("user_id").execute();
const PATH = "/orgs/loomers/settings";
const logged = () =>
  world.db.selectFrom("staff_log").select(["act", "on_name", "detail"]).orderBy("id").execute();

describe("an organization by its members", () => {
  test("is made by a member, who is its admin", async () => {
    expect((await get("/orgs/new", "ada")).text).toContain("You are in no organization yet.");
    const made = await post(
      "/orgs/new",
      { username: "Loomers", name: "The Loomers", tag_line: "Over, under" },
      "ada",
    );
    expect([made.status, made.headers["location"]]).toEqual([303, PATH]);
    expect(await membersOf()).toEqual({ ada: "admin" });
    expect((await get("/orgs/new", "ada")).text).toContain(`href="${PATH}"`);
    for (const username of ["ada", "loomers", "admin", "orgs", "a b"]) {
      const refused = await post("/orgs/new", { username, name: "Other" }, "ben");
      expect([username, refused.status]).toEqual([username, 422]);
    }
  });

  test("has settings for its members alone", async () => {
    for (const who of ["ben", "mo"]) {
      expect([who, (await get(PATH, who)).status]).toEqual([who, 404]);
      for (const values of [{ name: "Theirs" }, { act: "leave" }, { act: `remove ${ids["ada"]}` }])
        expect((await post(PATH, values as Record<string, string>, who)).status).toBe(404);
    }
    expect((await get("/orgs/nobodys/settings", "ada")).status).toBe(404);
    expect((await get(PATH, "ada")).text).toContain('value="Over, under"');
    expect(await membersOf()).toEqual({ ada: "admin" });
  });

  test("changes its profile, or keeps it where one value is refused", async () => {
    expect(
      (await post(PATH, { name: "Loomers", story: "Long ago", url: "https://loom.example/" }, "ada")).status,
    ).toBe(303);
    const refused = await post(PATH, { name: "Other", url: "loom" }, "ada");
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Website must be a full http or https address");
    const { body } = await world.get("/api/organizations/loomers");
    expect(body).toMatchObject({
      name: "Loomers",
      story: "Long ago",
      url: "https://loom.example/",
      tag_line: null,
    });
  });

  test("shows its picture, until it is removed", async () => {
    const picture = async () =>
      ((await world.get("/api/organizations/loomers")).body as { profile_image: string }).profile_image;
    const generated = await picture();
    const [name, image] = ['name="name"', 'name="profile_image"; filename="logo.png"'];
    const part = (disposition: string, content: Buffer) =>
      form(content, disposition).subarray(0, -"--XX--\r\n".length);
    const body = Buffer.concat([part(name, Buffer.from("Loomers")), form(pngOf(40, 40), image)]);
    const headers = { accept: "text/html", "content-type": FORM_TYPE, cookie: cookies["ada"] ?? "" };
    expect((await world.request({ method: "POST", url: PATH, headers, body })).status).toBe(303);
    expect(await picture()).toMatch(/\/uploads\/[0-9a-f]{32}-640\.png$/);
    expect((await post(PATH, { name: "Loomers", remove_image: "1" }, "ada")).status).toBe(303);
    expect(await picture()).toBe(generated);
  });

  test("invites by username; an invitation is accepted or declined at /notifications", async () => {
    for (const invite of ["ben", "@nobody", "ada"])
      expect([invite, (await post(PATH, { act: "invite", invite }, "ada")).status]).toEqual([
        invite,
        invite === "ben" ? 303 : 422,
      ]);
    await post(PATH, { act: "invite", invite: "cy" }, "ada");
    expect(await membersOf()).toEqual({ ada: "admin" });
    const { text } = await get("/notifications", "ben");
    for (const part of [
      "Loomers invites you to become a member",
      "Notifications, 1 unread",
      `value="accept `,
    ])
      expect(text).toContain(part);
    const [, id = ""] = /value="accept (\d+)"/.exec(text) ?? [];
    expect((await post("/notifications", { act: `accept ${id}` }, "mo")).status).toBe(404);
    expect((await post("/notifications", { act: `accept ${id}` }, "ben")).status).toBe(303);
    expect((await post("/notifications", { act: `decline ${id}` }, "cy")).status).toBe(303);
    expect(await membersOf()).toEqual({ ada: "admin", ben: "member" });
    expect(await invited()).toEqual([]);
    for (const who of ["ben", "cy"])
      expect((await post("/notifications", { act: `accept ${id}` }, who)).status).toBe(404);
    expect((await get("/notifications", "cy")).text).toContain("No notifications yet");
  });

  test("shows plain members its members and how to leave, and lets them do nothing else", async () => {
    const { text } = await get(PATH, "ben");
    for (const part of ["@ada", "Leave the organization"]) expect(text).toContain(part);
    for (const part of ["Invite", "Remove", 'name="story"']) expect(text).not.toContain(part);
    for (const values of [
      { name: "Ben's" },
      { act: "invite", invite: "cy" },
      { act: `make_admin ${ids["ben"]}` },
    ])
      expect((await post(PATH, values as Record<string, string>, "ben")).status).toBe(404);
    expect(await membersOf()).toEqual({ ada: "admin", ben: "member" });
  });

  test("keeps its last admin, who can't leave or step down", async () => {
    for (const act of ["leave", `make_member ${ids["ada"]}`, `remove ${ids["ada"]}`]) {
      const { status, text } = await post(PATH, { act }, "ada");
      expect([act, status]).toEqual([act, 422]);
      expect(text).toContain("An organization needs an admin: make another member an admin first");
    }
    // Buttons of a member's row make no members.
    expect((await post(PATH, { act: `make_admin ${ids["cy"]}` }, "ada")).status).toBe(404);
    expect(await membersOf()).toEqual({ ada: "admin", ben: "member" });
  });

  test("is left by an admin when another member is an admin", async () => {
    expect((await post(PATH, { act: `make_admin ${ids["ben"]}` }, "ada")).status).toBe(303);
    expect((await post(PATH, { act: "leave" }, "ada")).headers["location"]).toBe("/orgs/new");
    expect(await membersOf()).toEqual({ ben: "admin" });
    expect((await get(PATH, "ada")).status).toBe(404);
    expect(await logged()).toEqual([]);
  });
});

describe("an organization by an admin of the site", () => {
  test("is found in a list, and gets members at once; each act is in the log", async () => {
    for (const q of ["", "?q=LOOM"])
      expect((await get(`/admin/organizations${q}`, "lena")).text).toContain(`href="${PATH}"`);
    expect((await get("/admin/organizations?q=spinners", "lena")).text).toContain("Nothing found");
    expect((await post(PATH, { act: "invite", invite: "cy" }, "lena")).status).toBe(303);
    expect((await post(PATH, { act: `make_admin ${ids["cy"]}` }, "lena")).status).toBe(303);
    expect((await post(PATH, { act: `remove ${ids["ben"]}` }, "lena")).status).toBe(303);
    expect((await post(PATH, { act: "leave" }, "lena")).status).toBe(404);
    expect(await membersOf()).toEqual({ cy: "admin" });
    expect(await logged()).toEqual([
      { act: "add_member", on_name: "@loomers", detail: "member" },
      { act: "add_member", on_name: "@loomers", detail: "admin" },
      { act: "remove_member", on_name: "@loomers", detail: null },
    ]);
  });
});

describe("fields that a form doesn't have", () => {
  test("change nothing, whatever column has their name", async () => {
    const tables = await columnsByTable(world.db);
    const columns = new Set([...tables.values()].flatMap((table) => [...table.keys()]));
    const send = async (url: string, own: Record<string, string>, who: string) => {
      const extras = [...columns].filter((name) => !(name in own) && name !== "act");
      const before = await snapshot(world.db);
      const all = { ...Object.fromEntries(extras.map((name) => [name, "77777"])), ...own };
      const { status } = await post(url, all, who);
      return [url, status, JSON.stringify(added(before, await snapshot(world.db))).includes("77777")];
    };
    const texts = {
      username: "spinners",
      name: "Spinners",
      tag_line: "",
      summary: "",
      story: "",
      tech_stack: "",
    };
    const profile = { ...texts, location: "", url: "" };
    const look = { short_summary: "Sheep", bg_color_hex: "", text_color_hex: "" };
    for (const [url, own, who] of [
      ["/orgs/new", profile, "ben"],
      ["/orgs/spinners/settings", { ...profile, name: "Spinning" }, "ben"],
      ["/admin/settings", { tagline: "Mass" }, "lena"],
      [`/mod/people/${ids["cy"]}`, { role: "moderator" }, "lena"],
      ["/admin/tags/wool", look, "lena"],
    ] as const)
      expect(await send(url, own, who)).toEqual([url, 303, false]);
  });
});

describe("pages of administration", () => {
  const PAGES = ["", "/settings", "/people", "/tags", "/tags/wool", "/organizations"];

  test("are unknown to moderators and members, by GET and by POST", async () => {
    const unknown = (text: string) => text.replace(/Request <code>.*?<\/code>/, "");
    const missing = unknown((await get("/no-such-page", "ada")).text);
    for (const url of PAGES.map((page) => `/admin${page}`)) {
      for (const who of ["mo", "ada"]) {
        expect([url, who, (await get(url, who)).status, (await post(url, {}, who)).status]).toEqual([
          url,
          who,
          404,
          404,
        ]);
      }
      expect(unknown((await get(url, "ada")).text)).toBe(missing);
    }
    expect((await get("/", "lena")).text).toContain('<a href="/admin">Administration</a>');
    for (const who of ["mo", "ada"]) expect((await get("/", who)).text).not.toContain("Administration");
  });
});
