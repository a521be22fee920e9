import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { form, pngOf, uploading } from "../../../test/pictures.ts";
import { BASE_URL, type Reply, worldForAll } from "../../../test/world.ts";
import * as settings from "../../platform/settings/settings.ts";

const NOW = new Date("2026-03-02T09:15:00Z");

const SETTINGS = { write_burst: "1000", write_rate: "1000" };

let key: string;
let upload: ReturnType<typeof uploading>["upload"];
let files: ReturnType<typeof uploading>["files"];
let leavingNothing: ReturnType<typeof uploading>["leavingNothing"];
const world = worldForAll({ now: NOW, rateLimits: true, settings: SETTINGS });
beforeAll(async () => {
  key = await newKey();
  ({ upload, files, leavingNothing } = uploading(world, key));
});

const newKey = async () => world.key(await world.user());

const pathOf = ({ body }: Reply) => (body as { links: string[] }).links[0]?.slice(BASE_URL.length) ?? "";

describe("an image", () => {
  test.each([
    ["jpeg", "jpg", "image/jpeg"],
    ["png", "png", "image/png"],
    ["gif", "gif", "image/gif"],
    ["webp", "webp", "image/webp"],
    ["avif", "avif", "image/avif"],
  ] as const)(
    "of the format %s is kept and served as one, whatever it is called",
    async (format, extension, type) => {
      const bytes = await sharp(pngOf(30, 20)).toFormat(format).toBuffer();
      const answer = await upload(form(bytes, 'name="image"; filename="../../evil.html"'), {
        key: await newKey(),
      });
      expect(answer).toMatchObject({ status: 201, headers: { "cache-control": "private, no-store" } });
      const url = new RegExp(`^${BASE_URL}/uploads/[0-9a-f]{32}\\.${extension}$`);
      expect(answer.body).toEqual({ links: [expect.stringMatching(url)] });

      const served = await world.app.inject(pathOf(answer));
      expect(served.statusCode).toBe(200);
      expect(served.headers).toMatchObject({
        "content-type": type,
        "content-length": String(served.rawPayload.length),
        "content-disposition": "inline",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "cache-control": "public, max-age=31536000, immutable",
      });
      expect(await sharp(served.rawPayload).metadata()).toMatchObject({ width: 30, height: 20 });
    },
  );

  test("is served as a version that is known, and to HEAD, without its bytes", async () => {
    const path = pathOf(await upload(form(pngOf(5, 5)), { key: await newKey() }));
    const { headers } = await world.get(path);
    const known = await world.get(path, { headers: { "if-none-match": String(headers["etag"]) } });
    expect(known).toMatchObject({
      status: 304,
      text: "",
      headers: { "cache-control": headers["cache-control"] },
    });
    const head = await world.request({ method: "HEAD", url: path });
    expect(head).toMatchObject({
      status: 200,
      text: "",
      headers: { "content-length": headers["content-length"] },
    });
    expect((await world.request({ method: "POST", url: path })).status).toBe(405);
  });

  test.each([
    "",
    "nothing.png",
    "..%2F..%2Fetc%2Fpasswd",
    `${"0".repeat(32)}.png`,
    `${"0".repeat(32)}.svg`,
    "%00",
  ])("/uploads/%s is nothing", async (name) => {
    expect(await world.get(`/uploads/${name}`)).toMatchObject({ status: 404, body: { error: "not found" } });
  });

  test("is written down with its event, and is on the disk when it is answered", async () => {
    const user = await world.user();
    const path = pathOf(await upload(form(pngOf(5, 5)), { key: await world.key(user) }));
    const name = path.slice("/uploads/".length);
    expect(await files()).toContain(name);
    const row = await world.db.selectFrom("uploads").selectAll().where("name", "=", name).executeTakeFirst();
    expect(row).toMatchObject({ user_id: user.id, created_at: NOW });
    const events = await world.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "image_uploaded")
      .execute();
    expect(events).toContainEqual({ payload: { user_id: user.id, name } });
  });

  test("sent again with its Idempotency-Key is kept once, also when the form is put together otherwise", async () => {
    const options = { key: await newKey(), headers: { "idempotency-key": "once" } };
    const first = await upload(form(pngOf(6, 6)), options);
    const other = Buffer.from(
      form(pngOf(6, 6), 'name="image"; filename="b.png"').toString("latin1").replaceAll("--XX", "--YY"),
      "latin1",
    );
    await leavingNothing(async () => {
      expect(await upload(form(pngOf(6, 6)), options)).toMatchObject({ status: 201, text: first.text });
      const headers = { ...options.headers, "content-type": "multipart/form-data; boundary=YY" };
      expect(await upload(other, { ...options, headers })).toMatchObject({ status: 201, text: first.text });
      expect((await upload(form(pngOf(7, 6)), options)).status).toBe(422);
    });
  });

  test("sent 8 times at once with one Idempotency-Key is kept once", async () => {
    const options = { key: await newKey(), headers: { "idempotency-key": "at once" } };
    const before = (await files()).length;
    const replies = await Promise.all(Array.from({ length: 8 }, () => upload(form(pngOf(6, 6)), options)));
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await files()).length).toBe(before + 1);
  });
});

describe("how much", () => {
  test("10 in 30 seconds pass, however they come; refused ones don't count", async () => {
    const own = await newKey();
    for (let count = 0; count < 3; count++) await upload(form(Buffer.from("no picture")), { key: own });
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => upload(form(pngOf(4, 4)), { key: own })),
    );
    expect(replies.filter(({ status }) => status === 201).length).toBe(10);
    const refused = replies.find(({ status }) => status !== 201);
    const error = "Rate limit reached, try again in 30 seconds";
    expect(refused).toMatchObject({
      status: 429,
      headers: { "retry-after": "30" },
      body: { error, status: 429 },
    });
    await leavingNothing(() => upload(form(pngOf(4, 4)), { key: own }));
    expect((await upload(form(pngOf(4, 4)), { key: await newKey() })).status).toBe(201);
    world.setNow(new Date(NOW.getTime() + 30_000));
    expect((await upload(form(pngOf(4, 4)), { key: own })).status).toBe(201);
    world.setNow(NOW);
  });

  test("one may keep is a setting, exact also for what comes at once", async () => {
    const user = await world.user();
    const own = await world.key(user);
    await world.db
      .insertInto("uploads")
      .values({ name: `${"a".repeat(32)}.png`, user_id: user.id, bytes: 1_000_000 - 250 })
      .execute();
    await settings.set(world.db, "image_quota_megabytes", "1");
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => upload(form(pngOf(4, 4)), { key: own })),
    );
    const kept = replies.filter(({ status }) => status === 201);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(6);
    const error =
      "With this image yours would take up more than 1 MB: ask an operator of the community to remove some";
    expect(replies.find(({ status }) => status !== 201)).toMatchObject({ status: 422, body: { error } });
    const { sum } = await world.db
      .selectFrom("uploads")
      .select((eb) => eb.fn.sum<string>("bytes").as("sum"))
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(Number(sum)).toBeLessThanOrEqual(1_000_000);
    await world.db.updateTable("uploads").set({ bytes: 1_000_000 }).where("user_id", "=", user.id).execute();
    // The limit refuses before the image is read.
    expect(await upload(form(Buffer.from("no picture")), { key: own })).toMatchObject({ body: { error } });
    await settings.set(world.db, "image_quota_megabytes", "1000");
  });
});

test("in a private community the address is enough to see an image, and only members upload", async () => {
  const path = pathOf(await upload(form(pngOf(9, 9)), { key: await newKey() }));
  await settings.set(world.db, "visibility", "private");
  expect((await world.get(path)).status).toBe(200);
  expect((await upload(form(pngOf(9, 9)), { key: undefined })).status).toBe(401);
  expect(world.bugs).toEqual([]);
});
