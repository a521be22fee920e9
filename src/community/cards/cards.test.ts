import { fork } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { BASE_URL, createServices, startWorld, worldForAll } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import type { Picture } from "../../content/images/decode.ts";
import type { Message } from "../../platform/jobs/worker-side.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as cards from "./cards.ts";

const world = worldForAll();
beforeAll(() => world.user({ username: "ada", name: "Ada" }));

const ada = { username: "ada" };

async function cardPath(slug: string, key?: string): Promise<string> {
  const { body } = await world.get(`/api/articles/${slug}`, { key });
  const { social_image } = body as { social_image: string };
  expect(social_image.startsWith(BASE_URL)).toBe(true);
  return social_image.slice(BASE_URL.length);
}

const drawn = async (path: string) => (await world.app.inject(path)).rawPayload;

const kept = () =>
  readdir(join(world.context.config.dataDir, "files/cards"), { recursive: true, withFileTypes: true }).then(
    (all) => all.filter((one) => one.isFile()).map(({ name }) => name),
    () => [],
  );

/** How many pixels of the upper part, where the title stands, are dark. */
async function ink(bytes: Buffer): Promise<number> {
  const title = sharp(bytes).extract({ left: 0, top: 0, width: 1200, height: 450 });
  const pixels = await title.greyscale().raw().toBuffer();
  return pixels.filter((value) => value < 100).length;
}

describe("the picture of an article without a cover", () => {
  test("is a card with its title, drawn once and kept", async () => {
    await world.article(ada, { slug: "looms", title: "Looms & <b>wool</b>" });
    const path = await cardPath("looms");
    expect(path).toMatch(/^\/assets\/cards\/\d+-[0-9a-f]{16}\.png$/);
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.app.inject(path)));
    for (const { statusCode, headers, rawPayload } of answers) {
      expect(statusCode).toBe(200);
      expect(rawPayload).toEqual(answers[0]?.rawPayload);
      expect(headers).toMatchObject({
        "content-type": "image/png",
        "content-length": String(rawPayload.length),
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "public, no-cache",
      });
    }
    const bytes = await drawn(path);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    expect(await ink(bytes)).toBeGreaterThan(2_000);
    expect((await kept()).length).toBe(1);
    const known = await world.get(path, { headers: { "if-none-match": String(answers[0]?.headers.etag) } });
    expect(known).toMatchObject({ status: 304, text: "" });
  });

  test("is taken from the disk by another process", async () => {
    await world.article(ada, { slug: "shared" });
    const path = await cardPath("shared");
    const bytes = await drawn(path);
    const services = createServices(world.db);
    services.images.close();
    const other = await buildApp(world.context, services);
    expect((await other.inject(path)).rawPayload).toEqual(bytes);
    await other.close();
  });

  test("has another address when the title, the author or the organization is another", async () => {
    await world.organization({ username: "guild", name: "The Guild" });
    const noor = await world.user({ username: "noor", name: "Noor" });
    await world.article(noor, { slug: "moving", title: "One" });
    const paths = [await cardPath("moving")];
    await world.article(noor, { slug: "moving", title: "Two" });
    paths.push(await cardPath("moving"));
    await world.user({ username: "noor", name: "Noor Haddad" });
    paths.push(await cardPath("moving"));
    await world.organization({
      username: "guild",
      name: "The Guild",
      members: [{ username: "noor", role: "member" }],
    });
    await world.article(noor, { slug: "moving", title: "Two", organization: "guild" });
    paths.push(await cardPath("moving"));
    expect(new Set(paths).size).toBe(4);
    for (const old of paths.slice(0, 3)) expect((await world.get(old)).status).toBe(404);
    expect((await world.get(paths[3] ?? "")).status).toBe(200);
  });

  test("shows the site's new name at the same address", async () => {
    await world.article(ada, { slug: "renamed" });
    const path = await cardPath("renamed");
    const before = await drawn(path);
    await settings.set(world.db, "community_name", "Weavers");
    expect(await drawn(path)).not.toEqual(before);
    expect(await cardPath("renamed")).toBe(path);
  });

  test("of an article that isn't public is the site's, and its card is nowhere", async () => {
    const owner = await world.user();
    const key = await world.key(owner);
    const article = await world.article(owner, { slug: "secret", title: "Secret" });
    const path = await cardPath("secret");
    const { status, headers } = await world.get(path);
    expect(status).toBe(200);
    const kept = { headers: { "if-none-match": String(headers["etag"]) } };
    expect((await world.get(path, kept)).status).toBe(304);
    const answer = await world.request({ method: "PUT", url: `/api/articles/${article.id}/unpublish`, key });
    expect(answer.status).toBe(204);
    expect((await world.get(path)).status).toBe(404);
    expect((await world.get(path, kept)).status).toBe(404);
    const { body } = await world.get(`/api/articles/${article.id}`, { key });
    expect(body).toMatchObject({ social_image: `${BASE_URL}/assets/social.png` });
  });

  test.each([
    "",
    "1.png",
    "1-0000000000000000.png",
    "0-0000000000000000.png",
    "99999999999-0000000000000000.png",
    "..%2Fa",
  ])("/assets/cards/%s is nothing", async (name) => {
    expect((await world.get(`/assets/cards/${name}`)).status).toBe(404);
  });

  test("is for members only in a private community", async () => {
    const key = await world.key(await world.user());
    await world.article(ada, { slug: "inside" });
    const path = await cardPath("inside");
    await settings.set(world.db, "visibility", "private");
    expect((await world.get(path)).status).toBe(401);
    const answer = await world.get(path, { key });
    expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
    await settings.set(world.db, "visibility", "public");
  });

  test("is a cover where there is one", async () => {
    const main_image = "https://pictures.example/a.png";
    await world.article(ada, { slug: "covered", main_image });
    const { body } = await world.get("/api/articles/covered");
    expect(body).toMatchObject({ cover_image: main_image, social_image: main_image });
  });

  test("takes the place of the card before, however often a title changes", async () => {
    const before = (await kept()).length;
    const bytes: Buffer[] = [];
    for (const title of ["One loom", "Two looms", "Three looms", "One loom"]) {
      await world.article(ada, { slug: "retitled", title });
      bytes.push(await drawn(await cardPath("retitled")));
    }
    expect((await kept()).length).toBe(before + 1);
    expect(new Set(bytes.map((each) => each.toString("latin1"))).size).toBe(3);
    expect(bytes[3]).toEqual(bytes[0]);
  });

  test("counts among the reads that are limited, but not when it is known already", async () => {
    const limited = await startWorld({
      now: new Date("2026-03-02T09:15:00Z"),
      rateLimits: true,
      settings: { read_burst: "3", read_rate: "1" },
    });
    const [author, { id }] = [await limited.user(), await limited.user()];
    const key = await limited.key({ id });
    await limited.article(author, { slug: "limited" });
    const { body } = await limited.get("/api/articles/limited");
    const path = (body as { social_image: string }).social_image.slice(BASE_URL.length);
    const first = await limited.get(path);
    expect(first).toMatchObject({ status: 200, headers: { "x-ratelimit-limit": "3" } });
    const more = await Promise.all(Array.from({ length: 20 }, () => limited.get(path)));
    expect(more.map(({ status }) => status)).toContain(429);
    const headers = { "if-none-match": String(first.headers["etag"]) };
    // One after the other: what is given back was taken for a moment.
    for (let count = 0; count < 5; count++) {
      expect((await limited.get(path, { key, headers })).status).toBe(304);
    }
    await limited.stop();
  });

  test("is removed from the disk when it is old, and drawn again for who wants it", async () => {
    await world.article(ada, { slug: "aged" });
    const path = await cardPath("aged");
    const bytes = await drawn(path);
    const [before, { files }] = [await kept(), world.context];
    await cards.sweep(files, new Date(Date.now() + 29 * 86_400_000));
    expect((await kept()).length).toBe(before.length);
    await cards.sweep(files, new Date(Date.now() + 31 * 86_400_000));
    expect(await kept()).toEqual([]);
    expect(await drawn(path)).toEqual(bytes);
  });
});

describe("a card is drawn of every title", () => {
  const card = (title: string) =>
    world.services.images.card({ title, byline: "Ada", site: "Inkstone", authorId: 1 });
  let blank: number;
  beforeAll(async () => void (blank = await ink((await card(" ")).bytes)));

  test.each([
    ["Greek and Cyrillic", "Γειά σου Κόσμε, привет мир"],
    ["Arabic", "مرحبا بالعالم"],
    ["Hebrew", "שלום עולם"],
    ["one long word", "W".repeat(128)],
    ["many words", "word ".repeat(26).trim()],
    ["markup", "<span size='9999999'>&amp;</b> ]]>"],
    ["controls and halves of signs", "a\u0000b\ud800c\u202ed\ufffee\u{10ffff}"],
    ["marks without a letter", "\u0301\u0302 e"],
  ])("with %s", async (_what, title) => {
    const { bytes, width, height } = await card(title);
    expect([width, height]).toEqual([1200, 630]);
    expect(await ink(bytes)).toBeGreaterThan(blank + 100);
  });

  test.each([
    ["no letters", "\u200b\u200d"],
    ["signs of the future", "\u{1fbfa}\u{e01ef}\u0378"],
  ])("with %s, without a title", async (_what, title) => {
    expect(await ink((await card(title)).bytes)).toBe(blank);
  });

  test("without the signs that no font has, and with the others", async () => {
    expect((await card("\u0378Loo\u0378ms")).bytes).toEqual((await card("Looms")).bytes);
  });

  test("also on a computer without fonts", async () => {
    const folder = await mkdtemp(join(tmpdir(), "inkstone-fonts-"));
    const none = `<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`;
    await writeFile(join(folder, "fonts.conf"), `<?xml version="1.0"?>${none}`);
    const program = new URL("../../../dist/image-worker.js", import.meta.url);
    const env = { FONTCONFIG_FILE: join(folder, "fonts.conf") };
    const child = fork(program, { env, execArgv: [], serialization: "advanced" });
    child.send({ card: { title: "Looms 織機", byline: "Ada", site: "Inkstone", authorId: 1 } });
    const drawn = await new Promise<Picture>((resolve) => {
      child.on(
        "message",
        (message: Message<Picture[]>) => "answer" in message && resolve(message.answer[0] as Picture),
      );
    });
    child.disconnect();
    // How the edges of letters are smoothed is a matter of the computer.
    const [bare, usual] = [await ink(Buffer.from(drawn.bytes)), await ink((await card("Looms")).bytes)];
    expect(usual).toBeGreaterThan(1_000);
    expect(Math.abs(bare - usual)).toBeLessThan(usual / 10);
    await rm(folder, { recursive: true });
  });

  test("with its end left out where it doesn't fit, and nothing runs into the margins", async () => {
    const { bytes } = await card("Wm".repeat(400));
    const title = await sharp(bytes).greyscale().raw().toBuffer();
    const columns = (x: number) => Array.from({ length: 450 }, (_, y) => title[y * 1200 + x] ?? 0);
    for (const x of [0, 40, 76, 1124, 1160, 1199]) expect(Math.min(...columns(x))).toBeGreaterThan(200);
  });
});
