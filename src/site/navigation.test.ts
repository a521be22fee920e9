import { expect, test } from "vitest";
import { withClock } from "../../test/waiting.ts";
import { readPage } from "../../test/documents.ts";
import { startWorld } from "../../test/world.ts";
import * as settings from "../platform/settings/settings.ts";
import * as sessions from "../community/users/sessions.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const lena = { username: "lena" };
const HTML = { headers: { accept: "text/html" } };

test("an empty front page invites readers by what they may do next", async () => {
  const world = await startWorld({ now: NOW });
  await world.user(lena);
  const pageOf = async (role?: string) => {
    const { id } = role === undefined ? { id: 0 } : await world.user({ username: `a_${role}`, role });
    const device = { userId: id, network: "", browser: "" };
    const cookie = role && `__Host-session=${await sessions.begin(world.db, device, NOW)}`;
    return readPage(world, "/", { headers: { ...HTML.headers, ...(cookie && { cookie }) } });
  };
  expect((await pageOf("admin")).links).toContain("/admin");
  expect((await pageOf("member")).links).toContain("/settings/keys");
  expect((await pageOf()).links).not.toContain("/signup");
  await settings.set(world.db, "registration", "open");
  expect((await pageOf()).links).toContain("/signup");
  await settings.set(world.db, "posting", "admins");
  expect((await pageOf("moderator")).links).not.toContain("/settings/keys");
  await world.stop();
});

test("the header names only the sections in which there is something, within a second", async () => {
  const named = await startWorld({ now: NOW });
  await named.user(lena);
  const sections = async () => {
    const { text } = await named.get("/lena", HTML);
    const nav = /<nav class="site-nav".*?<\/nav>/s.exec(text)?.[0] ?? "";
    return [...nav.matchAll(/href="(.*?)"/g)].map(([, path]) => path);
  };
  await withClock(async (pass) => {
    expect(await sections()).toEqual(["/tags"]);
    await named.listing(lena, { expires_at: "2026-03-30T00:00:00Z" });
    await named.article(lena, { video_source_url: "https://youtu.be/dQw4w9WgXcQ", published: false });
    pass(1_000);
    expect(await sections()).toEqual(["/tags"]);
    await named.listing(lena);
    await named.podcast({ slug: "loomcast" });
    await named.article(lena, { video_source_url: "https://youtu.be/dQw4w9WgXcQ" });
    pass(1_000);
    expect(await sections()).toEqual(["/tags", "/podcasts", "/videos", "/listings"]);
    expect((await named.get("/nobody", HTML)).text).toContain('href="/listings"');
  });
  await named.stop();
});
