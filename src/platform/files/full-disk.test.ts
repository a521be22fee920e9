import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { netFor, startElsewhere } from "../../../test/net.ts";
import { form, HERE, picturing, pngOf, uploading } from "../../../test/pictures.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../../../test/small-disk.ts";
import { BASE_URL, startWorld, type World } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import type { Context, Services } from "../../context.ts";

const UNAVAILABLE = {
  status: 503,
  headers: { "retry-after": "5" },
  body: { error: "service unavailable", status: 503 },
};

let world: World;
let lines: string[];
beforeEach(() => {
  lines = [];
});
afterEach(() => world.stop());

/** The server, with its warnings in `lines`. */
async function loggingApp(context: Context, services: Services) {
  const app = await buildApp(context, services);
  app.addHook("onRequest", async (request) => {
    request.log.warn = (line: string) => void lines.push(line);
  });
  return app;
}

test("an image that can't be read is unavailable, and the log says where", async () => {
  world = await startWorld({ build: loggingApp });
  const folder = join(world.context.config.dataDir, "files/uploads/3f");
  const name = "3f2a9c0d5e7b41688a1c2d3e4f506172.png";
  await mkdir(folder, { recursive: true });
  // Reading the first page of a process's memory is an input/output error.
  await symlink("/proc/self/mem", join(folder, name));
  expect(await world.get(`/uploads/${name}`)).toMatchObject(UNAVAILABLE);
  expect(lines).toEqual([`unavailable: Error: EIO: i/o error, read '${join(folder, name)}'`]);
  expect(world.bugs).toEqual([]);
});

describe.runIf(canMount)("On a disk that takes nothing more", () => {
  let disk: SmallDisk;
  let key: string;
  beforeEach(async () => {
    disk = mountSmallDisk(4);
    const config = { dataDir: disk.path, allowPrivateNetwork: true };
    world = await startWorld({ config, build: loggingApp });
    key = await world.key(await world.user({ username: "ada" }));
  });
  afterEach(() => disk.unmount());

  const upload = () => uploading(world, key).upload(form(pngOf(9, 9)));
  const files = () => uploading(world, key).files();

  test("an upload is unavailable, leaves nothing behind, and works again when there is room", async () => {
    disk.fill();
    expect(await upload()).toMatchObject(UNAVAILABLE);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^unavailable: Error: ENOSPC: no space left on device, \w+ '.*\/files\b/);
    expect(lines[0]).toContain(disk.path);
    expect(await world.db.selectFrom("uploads").select("name").execute()).toEqual([]);
    expect(await files()).toEqual([]);
    expect(world.bugs).toEqual([]);
    disk.free();
    expect((await upload()).status).toBe(201);
  });

  test("a card is unavailable unless it is there already", async () => {
    await world.article({ username: "ada" }, { slug: "first" });
    await world.article({ username: "ada" }, { slug: "second" });
    const cardOf = async (slug: string) =>
      ((await world.get(`/api/articles/ada/${slug}`)).body as { social_image: string }).social_image.slice(
        BASE_URL.length,
      );
    expect((await world.get(await cardOf("first"))).status).toBe(200);
    disk.fill();
    expect((await world.get(await cardOf("first"))).status).toBe(200);
    expect(await world.get(await cardOf("second"))).toMatchObject(UNAVAILABLE);
    disk.free();
    expect((await world.get(await cardOf("second"))).status).toBe(200);
  });

  test("a picture from elsewhere is fetched again later, as if nothing had been wrong with it", async () => {
    const site = await startElsewhere((_request, response) => void response.end(pngOf(700, 700)));
    const net = netFor();
    try {
      world.setNow(new Date());
      const { fetchNow, later } = picturing(() => world);
      await world.user({ username: "lena", profile_image: `${site.url}/lena.png` });
      disk.fill();
      await expect(fetchNow({ net })).rejects.toThrow(/ENOSPC.*files/);
      const { failures } = await world.db.selectFrom("fetches").select("failures").executeTakeFirstOrThrow();
      expect(failures).toBe(0);
      disk.free();
      later(0.02);
      await fetchNow({ net });
      expect((await world.get("/api/profile_images/lena")).body).toMatchObject({
        profile_image: expect.stringMatching(HERE),
      });
    } finally {
      await net.close();
      await site.stop();
    }
  });

  test("an upload to a read-only one is unavailable, and what is there is shown", async () => {
    const { body } = await upload();
    disk.makeReadOnly();
    expect(await upload()).toMatchObject(UNAVAILABLE);
    expect(lines[0]).toMatch(/EROFS: read-only file system, \w+ '.*\/files\b/);
    const [link = ""] = (body as { links: string[] }).links;
    expect((await world.get(link.slice(BASE_URL.length))).status).toBe(200);
    expect(world.bugs).toEqual([]);
  });
});
