import { beforeAll, describe, expect, test } from "vitest";
import { cookieFor, postForm } from "../../../test/accounts.ts";
import { form, FORM_TYPE, pngOf } from "../../../test/pictures.ts";
import { worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";

const world = worldForAll();
let cookie: string;
beforeAll(async () => {
  cookie = await cookieFor(world, (await world.user({ username: "lena", role: "admin" })).id);
});

const get = (url: string) => world.get(url, { headers: { accept: "text/html", cookie } });
const post = (url: string, values: Record<string, string>) => postForm(world, url, values, { cookie });
const logged = () =>
  world.db.selectFrom("staff_log").select(["act", "on_name", "detail"]).orderBy("id").execute();

describe("/admin/settings", () => {
  test("has each setting under its name, in groups, with what it does and its default", async () => {
    const { status, text } = await get("/admin/settings");
    expect(status).toBe(200);
    for (const key of Object.keys(settings.defaults()))
      expect([key, text.includes(`name="${key}"`)]).toEqual([key, true]);
    for (const part of [
      "<h2>Access</h2>",
      "Reads per second per address or key, on average. Default: 30</p>",
      "With private, only members can, signed in or by an API key",
      "The accent colour in both themes",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("Changed settings");
  });

  test("changes what differs, and logs it", async () => {
    const { status, headers } = await post("/admin/settings", {
      community_name: "Tinker Lab",
      read_rate: "31",
      visibility: "public",
    });
    expect([status, headers["location"]]).toEqual([303, "/admin/settings?done=acted"]);
    expect(await settings.read(world.db)).toMatchObject({ community_name: "Tinker Lab", read_rate: 31 });
    expect(await logged()).toEqual([
      { act: "change_setting", on_name: "community_name", detail: "Tinker Lab" },
      { act: "change_setting", on_name: "read_rate", detail: "31" },
    ]);
    const { text } = await get("/admin/settings?done=acted");
    for (const part of ["Done.", "Changed settings: 2", 'value="reset read_rate"', "<span>Tinker Lab</span>"])
      expect(text).toContain(part);
  });

  test("stores nothing when one value is refused, and shows its fault beside it with what was typed", async () => {
    const before = [await settings.read(world.db), await logged()];
    const typed = {
      community_name: "Other",
      read_rate: "many",
      accent_color: "red",
      logo_url: "/nowhere.png",
    };
    const { status, text } = await post("/admin/settings", typed);
    expect(status).toBe(422);
    expect(text).toContain(
      'id="read_rate-fault">Read rate must be a whole number from 1 to 100000, not &quot;many&quot;</p>',
    );
    for (const part of ["Accent color must be a colour such as #b3402e", 'value="Other"', 'value="many"'])
      expect(text).toContain(part);
    const missing = await post("/admin/settings", { logo_url: "/nowhere.png", tagline: "x" });
    expect(missing.text).toContain('id="logo_url-fault">Logo url &quot;/nowhere.png&quot; leads to no file');
    expect([await settings.read(world.db), await logged()]).toEqual(before);
  });

  test("leaves alone what has changed since the form was shown, and wasn't changed in it", async () => {
    const shown = (await get("/admin/settings")).text;
    const was = /name="was" value="([^"]+)"/.exec(shown)?.[1] ?? "";
    const { tagline } = await settings.read(world.db);
    await post("/admin/settings", { tagline: "We weave" });
    await post("/admin/settings", { was, tagline, accent_color: "#123456" });
    const read = await settings.read(world.db);
    expect(read).toMatchObject({ tagline: "We weave", accent_color: "#123456" });
  });

  test("resets one setting", async () => {
    expect((await post("/admin/settings", { act: "reset read_rate" })).status).toBe(303);
    expect(await settings.read(world.db)).toMatchObject({ community_name: "Tinker Lab", read_rate: 30 });
    expect((await logged()).at(-1)).toEqual({ act: "change_setting", on_name: "read_rate", detail: "30" });
    expect((await post("/admin/settings", { act: "reset no_such" })).status).toBe(422);
    expect((await post("/admin/settings", { act: "constructor" })).status).toBe(404);
  });

  test("uploads a logo, which pages show, and refuses what is no image", async () => {
    const send = (bytes: Buffer) =>
      world.request({
        method: "POST",
        url: "/admin/settings",
        headers: { accept: "text/html", "content-type": FORM_TYPE, cookie },
        body: form(bytes, 'name="logo"; filename="logo.png"'),
      });
    expect((await send(pngOf(40, 40))).status).toBe(303);
    const { logo_url } = await settings.read(world.db);
    expect(logo_url).toMatch(/^\/uploads\/[0-9a-f]{32}\.png$/);
    expect((await world.get(logo_url)).status).toBe(200);
    expect((await world.get("/", { headers: { accept: "text/html" } })).text).toContain(`src="${logo_url}"`);
    expect((await send(Buffer.from("no image"))).status).toBe(422);
    expect((await settings.read(world.db)).logo_url).toBe(logo_url);
  });
});

describe("pages", () => {
  test("previews a text above the form without storing it", async () => {
    const { status, text } = await post("/admin/settings", { about_page: "# Looms\n\n*Ours*", preview: "1" });
    expect(status).toBe(200);
    expect(text.indexOf("<em>Ours</em>")).toBeGreaterThan(0);
    expect(text.indexOf("<em>Ours</em>")).toBeLessThan(text.indexOf("<textarea"));
    expect(text).toContain("# Looms\n\n*Ours*</textarea>");
    expect((await settings.read(world.db)).about_page).toBe("");
  });

  test("stores texts and the links of header and footer in their order", async () => {
    const links = {
      navigation_links: "Looms | /t/looms\nTags | /tags",
      footer_links: "Shop | https://shop.example/",
    };
    expect((await post("/admin/settings", { about_page: "*Ours*", ...links })).status).toBe(303);
    const { text } = await world.get("/about", { headers: { accept: "text/html" } });
    expect(text).toContain("<em>Ours</em>");
    expect(text).toContain('<a href="/t/looms">Looms</a><a href="/tags">Tags</a>');
    expect(text).toContain('<nav aria-label="About"><a href="https://shop.example/">Shop</a></nav>');
    const refused = await post("/admin/settings", {
      about_page: "Other",
      footer_links: "Bad | javascript:alert(1)",
    });
    expect([refused.status, (await settings.read(world.db)).about_page]).toEqual([422, "*Ours*"]);
  });
});
