import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { form, pngOf, uploading } from "../../../test/pictures.ts";
import { type S3Store, startS3Store } from "../../../test/s3-store.ts";
import { BASE_URL, type Reply, startWorld, type World } from "../../../test/world.ts";
import { sweep } from "./files.ts";

const UNAVAILABLE = {
  status: 503,
  headers: { "retry-after": "5" },
  body: { error: "service unavailable", status: 503 },
};

let store: S3Store;
let world: World;
let key: string;
beforeEach(async () => {
  store = await startS3Store();
  world = await startWorld({ config: { s3: store.settings } });
  key = await world.key(await world.user({ username: "ada" }));
});
afterEach(async () => {
  await world.stop();
  await store.stop();
});

const upload = (of = world, by = key) => uploading(of, by).upload(form(pngOf(30, 20)));
const pathOf = ({ body }: Reply) => String((body as { links: string[] }).links[0]).slice(BASE_URL.length);
const bytesOf = async (of: World, url: string, headers = {}) => {
  const { statusCode, headers: received, rawPayload } = await of.app.inject({ url, headers });
  return { status: statusCode, headers: received, bytes: rawPayload };
};
const errors = async () =>
  /^inkstone_file_store_errors_total (\d+)$/m.exec(await world.services.metrics.text([]))?.[1];

test("an uploaded picture is sent from the S3 store with the bytes and headers that it has from the disk", async () => {
  const path = pathOf(await upload());
  expect([...store.objects.keys()]).toEqual([path.slice(1)]);
  const other = await startWorld();
  try {
    const bytes = store.objects.get(path.slice(1))?.bytes as Buffer;
    await other.context.files.put(path.slice(1), bytes);
    for (const headers of [{}, { "if-none-match": `"${path.slice("/uploads/".length)}"` }]) {
      const [here, there] = await Promise.all([bytesOf(world, path, headers), bytesOf(other, path, headers)]);
      const sameTime = { date: "", "x-request-id": "" };
      expect({ ...here.headers, ...sameTime }).toEqual({ ...there.headers, ...sameTime });
      expect(here.status).toBe(there.status);
      expect(here.bytes.equals(there.bytes)).toBe(true);
    }
    expect((await bytesOf(world, path)).bytes.equals(bytes)).toBe(true);
    const unknown = `/uploads/${"0".repeat(32)}.png`;
    expect(await world.get(unknown)).toMatchObject({ status: 404, body: (await other.get(unknown)).body });
  } finally {
    await other.stop();
  }
});

test("a card is drawn once, and kept in the S3 store", async () => {
  await world.article({ username: "ada" }, { slug: "first" });
  const { body } = await world.get("/api/articles/ada/first");
  const path = (body as { social_image: string }).social_image.slice(BASE_URL.length);
  const first = await bytesOf(world, path);
  expect(first.status).toBe(200);
  const [name = ""] = store.objects.keys();
  expect(name).toMatch(/^cards\//);
  const puts = () => store.asked.filter((asked) => asked.startsWith("PUT"));
  expect((await bytesOf(world, path)).bytes.equals(first.bytes)).toBe(true);
  expect(puts()).toEqual([`PUT ${name}`]);
});

test("unused files of the S3 store are removed after a day, page by page, and used ones stay", async () => {
  store.pageSize = 2;
  const kept = pathOf(await upload());
  for (let number = 0; number < 7; number += 1)
    await world.context.files.put(`uploads/${String(number).repeat(32)}.png`, pngOf(2, 2));
  const pages = () => store.asked.filter((asked) => asked === "GET ").length;
  expect(await sweep(world.db, world.context.files, new Date())).toBe(0);
  const before = pages();
  const later = new Date(Date.now() + 2 * 86_400_000);
  expect(await sweep(world.db, world.context.files, later)).toBe(7);
  expect(pages() - before).toBe(4);
  expect([...store.objects.keys()]).toEqual([kept.slice(1)]);
});

describe("While the S3 store is away,", () => {
  let path: string;
  beforeEach(async () => {
    path = pathOf(await upload());
    await world.article({ username: "ada" }, { slug: "first" });
    store.fault = (_request, response) => (response.destroy(), true);
  });
  const uploads = () => world.db.selectFrom("uploads").select("name").execute();

  test("uploads and pictures are unavailable, nothing is noted, and all else goes on", async () => {
    expect(await upload()).toMatchObject(UNAVAILABLE);
    expect(await world.get(path)).toMatchObject(UNAVAILABLE);
    expect(await uploads()).toHaveLength(1);
    expect(await errors()).toBe("2");
    expect((await world.get("/api/articles/ada/first")).status).toBe(200);
    const article = { title: "Second", body_markdown: "Words.", published: true };
    const written = await world.request({ method: "POST", url: "/api/articles", key, body: { article } });
    expect(written.status).toBe(201);
    expect((await world.get("/ada/second", { headers: { accept: "text/html" } })).status).not.toBe(503);
    expect(world.bugs).toEqual([]);
    store.fault = undefined;
    expect((await upload()).status).toBe(201);
    expect((await world.get(path)).status).toBe(200);
  });

  test("a picture whose first byte doesn't come is unavailable", async () => {
    store.fault = (_request, response) => {
      response.writeHead(200, { "content-length": 100 }).flushHeaders();
      void sleep(50).then(() => response.destroy());
      return true;
    };
    expect(await world.get(path)).toMatchObject(UNAVAILABLE);
    expect(world.bugs).toEqual([]);
  });
});

test("a refused upload leaves nothing in the S3 store", async () => {
  await world.db.insertInto("settings").values({ key: "image_quota_megabytes", value: "1" }).execute();
  world.context.files.put = ((put) => async (name, bytes) => {
    await put(name, bytes);
    // Meanwhile the same user fills the quota.
    await world.db
      .insertInto("uploads")
      .values({ name: `${"0".repeat(32)}.png`, bytes: 1_000_000, user_id: 1, created_at: new Date() })
      .execute();
  })(world.context.files.put);
  expect((await upload()).status).toBe(422);
  expect(store.objects.size).toBe(0);
  expect(world.bugs).toEqual([]);
});
