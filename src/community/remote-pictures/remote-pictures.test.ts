import { rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import sharp from "sharp";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Elsewhere, netFor, startElsewhere } from "../../../test/net.ts";
import { HERE, picturing, pngOf } from "../../../test/pictures.ts";
import { worldForAll } from "../../../test/world.ts";
import { createImages } from "../../content/images/images.ts";
import { missing, tryAgain } from "./remote-pictures.ts";

const PICTURE = pngOf(700, 700);

let site: Elsewhere;
let answer: (response: ServerResponse, path: string) => void;

const world = worldForAll({ config: { allowPrivateNetwork: true } });
beforeEach(async () => {
  answer = (response) => void response.end(PICTURE);
  site = await startElsewhere(({ url = "" }, response) => answer(response, url));
  world.setNow(new Date());
});
afterEach(async () => {
  await site.stop();
  await sql`truncate users, organizations, handles, fetches, remote_pictures cascade`.execute(
    world.superuser,
  );
  await rm(join(world.context.config.dataDir, "files"), { recursive: true, force: true });
});

const { later, fetchNow, importing, exported, files, sweep } = picturing(() => world);

const shownOf = async (name: string) =>
  ((await world.get(`/api/profile_images/${name}`)).body as { profile_image: string }).profile_image;

const storedOf = async (name: string) => {
  const people = world.db.selectFrom("users").select("profile_image");
  return (await people.where("username", "=", name).executeTakeFirst())?.profile_image;
};

describe("a picture elsewhere", () => {
  test("is fetched, made anew and shown from here, for people and organizations", async () => {
    const lena = await world.user({ username: "lena", profile_image: `${site.url}/lena.png` });
    await world.organization({ username: "guild", profile_image: `${site.url}/guild.png` });
    await world.article(lena, { slug: "words" });
    expect(await shownOf("lena")).toBe(`${site.url}/lena.png`);
    await fetchNow();
    expect(site.asked.map(({ url = "" }) => url).toSorted()).toEqual(["/guild.png", "/lena.png"]);
    expect(site.asked[0]?.headers).toMatchObject({ accept: "image/*" });
    for (const name of ["lena", "guild"]) {
      const shown = await shownOf(name);
      expect(shown).toMatch(HERE);
      const file = await world.app.inject(new URL(shown).pathname);
      expect(await sharp(file.rawPayload).metadata()).toMatchObject({ width: 640, height: 640 });
    }
    const { body } = await world.get("/api/articles/lena/words");
    expect(body).toMatchObject({ user: { profile_image: await shownOf("lena") } });
    expect(await missing(world.db)).toEqual([]);
    await fetchNow();
    expect(site.asked.length).toBe(2);
  });

  test("of a guild isn't kept waiting by those of many people", async () => {
    for (const name of ["ada", "ben", "cleo", "dan"]) {
      await world.user({ username: name, profile_image: `${site.url}/${name}.png` });
    }
    await world.organization({ username: "guild", profile_image: `${site.url}/guild.png` });
    const held: (() => void)[] = [];
    answer = (response, path) => {
      if (path === "/guild.png") for (const go of held.splice(0)) go();
      const go = () => void response.end(PICTURE);
      const isHeld = path !== "/guild.png" && !site.asked.some(({ url }) => url === "/guild.png");
      if (isHeld) held.push(go);
      else go();
    };
    later(1);
    await fetchNow();
    expect(site.asked.length).toBe(5);
    expect(await shownOf("guild")).toMatch(HERE);
  });

  test("is not fetched without a picture, or for one of ours", async () => {
    await world.user({ username: "plain" });
    await world.user({ username: "own", profile_image: `/uploads/${"0".repeat(32)}.png` });
    await fetchNow();
    expect(await missing(world.db)).toEqual([]);
    expect(site.asked).toEqual([]);
  });

  test("keeps its address in exports, which an import of it doesn't change", async () => {
    const record = { type: "user", username: "lena", name: "Lena", profile_image: `${site.url}/lena.png` };
    const group = { type: "organization", username: "guild", name: "G", profile_image: `${site.url}/g.png` };
    await importing(record, group);
    const before = await exported();
    await fetchNow();
    const [shown, kept] = [await shownOf("lena"), await files()];
    expect(await exported()).toBe(before);
    const again = await importing(...before.trim().split("\n"));
    expect(again).toMatchObject({ created: 0, updated: 0, bad: [] });
    expect(again.unchanged).toBeGreaterThan(1);
    await importing({ ...record, name: "Lena O." }, { ...group, name: "Guild" });
    await fetchNow();
    expect([await shownOf("lena"), await files()]).toEqual([shown, kept]);
    expect(site.asked.length).toBe(2);
  });

  test("that an import changes is fetched anew, and one that it removes is gone, with its files", async () => {
    await world.user({ username: "lena", profile_image: `${site.url}/one.png` });
    await fetchNow();
    const first = await shownOf("lena");
    await importing({ type: "user", username: "lena", name: "lena", profile_image: `${site.url}/two.png` });
    expect(await shownOf("lena")).toBe(`${site.url}/two.png`);
    await fetchNow();
    expect(await shownOf("lena")).toMatch(HERE);
    expect(await shownOf("lena")).not.toBe(first);
    await importing({ type: "user", username: "lena", name: "lena", profile_image: "" });
    expect(await shownOf("lena")).toContain("/assets/identicons/");
    expect((await files()).length).toBeGreaterThan(0);
    await sweep();
    expect(await files()).toEqual([]);
  });

  test("isn't kept when another one is given while it is fetched", async () => {
    const lena = await world.user({ username: "lena", profile_image: `${site.url}/one.png` });
    answer = (response, path) => {
      const change = world.db.updateTable("users").set({ profile_image: `${site.url}/two.png` });
      const changed = path === "/one.png" ? change.where("id", "=", lena.id).execute() : Promise.resolve();
      void changed.then(() => response.end(PICTURE));
    };
    await fetchNow();
    expect(site.asked.map(({ url }) => url)).toEqual(["/one.png", "/two.png"]);
    const stored = await storedOf("lena");
    expect(stored).toMatch(/^\/uploads\//);
    expect(await exported()).toContain(`${site.url}/two.png`);
    const name = stored?.slice("/uploads/".length, -".png".length) ?? "";
    expect((await files()).filter((file) => !file.startsWith(name))).toEqual([]);
  });

  test("is forgotten with its owner", async () => {
    const { id } = await world.user({ username: "lena", profile_image: `${site.url}/one.png` });
    await world.db.deleteFrom("users").where("id", "=", id).execute();
    await fetchNow();
    expect(site.asked).toEqual([]);
    const { rows } = await sql`select 1 from remote_pictures union all select 1 from fetches`.execute(
      world.db,
    );
    expect(rows).toEqual([]);
  });
});

describe("a picture that can't be had", () => {
  const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end();

  test.each([
    ["404", status(404), "The other server responds with 404 instead of an image."],
    ["a page", (response: ServerResponse) => void response.end("<html>"), /^It can't be shown: Image .+\.$/],
    [
      "too much",
      (response: ServerResponse) => void response.end(Buffer.alloc(11 * 1024 * 1024)),
      "127.0.0.1's response is larger than 10485760 bytes.",
    ],
  ])("(%s) leaves its address and a reason", async (_, respond, reason) => {
    answer = respond;
    await world.user({ username: "lena", profile_image: `${site.url}/lena.png` });
    await fetchNow();
    expect(await shownOf("lena")).toBe(`${site.url}/lena.png`);
    const [picture] = await missing(world.db);
    expect(picture).toMatchObject({ kind: "user", username: "lena", url: `${site.url}/lena.png` });
    expect(picture?.failure).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
    expect(await files()).toEqual([]);
  });

  test("because it is in a private network isn't asked for", async () => {
    await world.user({ username: "lena", profile_image: `${site.url}/lena.png` });
    await fetchNow({ net: netFor({ allowPrivateNetwork: false, outboundPorts: [site.port] }) });
    expect(site.asked).toEqual([]);
    expect(await missing(world.db)).toMatchObject([
      { failure: "The address leads into a private network, which nothing is fetched from." },
    ]);
  });

  test("for want of room here is none of its faults, and is tried again in a minute", async () => {
    await world.user({ username: "lena", profile_image: `${site.url}/lena.png` });
    const images = createImages();
    images.close();
    await fetchNow({ images });
    const [picture] = await missing(world.db);
    expect(picture).toMatchObject({ username: "lena", failure: null });
    expect(picture?.due_at?.getTime()).toBe(world.context.now().getTime() + 60_000);
    later(0.05);
    await fetchNow();
    expect(await shownOf("lena")).toMatch(HERE);
  });

  test("is tried again for about a week, then given up until an operator asks", async () => {
    answer = status(503);
    await world.user({ username: "lena", profile_image: `${site.url}/lena.png` });
    let hours = 0;
    for (; (await missing(world.db))[0]?.due_at !== null && hours < 1_000; hours += 1) {
      await fetchNow();
      later(1);
    }
    expect(hours / 24).toBeGreaterThan(5);
    expect(hours / 24).toBeLessThan(10);
    expect(site.asked.length).toBe(12);
    const failure = "The other server responds with 503 instead of an image.";
    expect(await missing(world.db)).toMatchObject([{ username: "lena", failure, due_at: null }]);
    later(1_000);
    await fetchNow();
    expect(site.asked.length).toBe(12);

    answer = (response) => void response.end(PICTURE);
    expect(await tryAgain(world.db, world.context.now())).toBe(1);
    await fetchNow();
    expect(await shownOf("lena")).toMatch(HERE);
    expect(await missing(world.db)).toEqual([]);
  });
});
