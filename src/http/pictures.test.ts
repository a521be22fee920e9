import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { cpuCost } from "../../test/waiting.ts";
import { serverWith, startWorld, worldForAll } from "../../test/world.ts";
import { identiconRoutes, pictureRoutes } from "./pictures.ts";

const build = serverWith((app) => {
  pictureRoutes(app);
  identiconRoutes(app);
});

const world = worldForAll({ build, settings: { visibility: "private" } });

test.each([
  ["default-organization-640.png", 640, 640],
  ["social.png", 1200, 630],
])("%s is a picture of %i by %i pixels that may be kept for a day", async (name, width, height) => {
  const answer = await world.app.inject(`/assets/${name}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=86400",
    "x-content-type-options": "nosniff",
  });
  const { rawPayload } = answer;
  expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([width, height]);
});

test("a picture that a client has already is not sent again", async () => {
  const { headers } = await world.get("/assets/social.png");
  const etag = String(headers["etag"]);
  const again = await world.get("/assets/social.png", { headers: { "if-none-match": etag } });
  expect(again).toMatchObject({
    status: 304,
    text: "",
    headers: { etag, "cache-control": headers["cache-control"] },
  });
  const other = await world.get("/assets/social.png", { headers: { "if-none-match": '"other"' } });
  expect(other.status).toBe(200);
});

test.each([
  ["demo/bread.webp", "image/webp"],
  ["demo/bench-notes-1.wav", "audio/wav"],
  ["demo/brake-cables.webm", "video/webm"],
])("%s is %s", async (name, type) => {
  const answer = await world.app.inject(`/assets/${name}`);
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, type]);
});

describe("a part of a recording", () => {
  const ask = (headers: Record<string, string>) =>
    world.app.inject({ url: "/assets/demo/bench-notes-1.wav", headers });

  test.each([
    ["bytes=0-3", 0, 3],
    ["bytes=8-11", 8, 11],
    ["bytes=64000-", 64_000, 64_043],
    ["bytes=64000-99999", 64_000, 64_043],
  ])("is sent for %s", async (range, from, to) => {
    const whole = await ask({});
    expect([whole.statusCode, whole.headers["accept-ranges"]]).toEqual([200, "bytes"]);
    const part = await ask({ range });
    expect(part.statusCode).toBe(206);
    expect(part.headers["content-range"]).toBe(`bytes ${from}-${to}/64044`);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(from, to + 1));
  });

  test.each([
    { range: "bytes=64044-" },
    { range: "bytes=9-8" },
    { range: "bytes=0-1,4-5" },
    { range: "lines=0-1" },
    { range: "bytes=0-3", "if-range": '"other"' },
  ])("is all of it for %j", async (headers) => {
    const { statusCode, rawPayload } = await ask(headers);
    expect([statusCode, rawPayload.length]).toEqual([200, 64_044]);
  });
});

test.each([
  "/assets/",
  "/assets/demo/",
  "/assets/demo/other.webp",
  "/assets/other.png",
  "/assets/..%2Fpackage.json",
  "/assets/social.png/",
  "/assets/identicons/",
  "/assets/identicons/user-0-640.png",
  "/assets/identicons/user-01-640.png",
  "/assets/identicons/user-1-641.png",
  "/assets/identicons/tag-1-640.png",
  "/assets/identicons/user-99999999999-640.png",
  "/assets/identicons/user-1-640.png.exe",
])("%s is nothing", async (url) => {
  expect((await world.get(url)).status).toBe(404);
});

describe("the picture of those who have given none", () => {
  const bytesOf = async (name: string) =>
    (await world.app.inject(`/assets/identicons/${name}.png`)).rawPayload;
  const shapeOf = async (name: string) =>
    sharp(await bytesOf(name))
      .resize(60, 60)
      .greyscale()
      .raw()
      .toBuffer();

  test.each([640, 320, 90, 60])(
    "has %i pixels on each side, is safe and may be kept for ever",
    async (side) => {
      const path = `/assets/identicons/user-7-${side}.png`;
      const answer = await world.app.inject(path);
      expect(answer.headers).toMatchObject({
        "content-type": "image/png",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: side, height: side });
      const known = await world.get(path, { headers: { "if-none-match": String(answer.headers.etag) } });
      expect(known).toMatchObject({ status: 304, text: "" });
    },
  );

  test("is the same every time, on both sides and in every size", async () => {
    expect(await bytesOf("user-7-640")).toEqual(await bytesOf("user-7-640"));
    const image = sharp(await bytesOf("user-7-90")).removeAlpha();
    expect(await image.clone().flop().raw().toBuffer()).toEqual(await image.raw().toBuffer());
    const [small, large] = [await shapeOf("user-7-60"), await shapeOf("user-7-640")];
    const difference = small.reduce((sum, value, index) => sum + Math.abs(value - (large[index] ?? 0)), 0);
    expect(difference / small.length).toBeLessThan(10);
  });

  test("is another one for everybody, and shows something", async () => {
    const names = Array.from({ length: 300 }, (_, index) => [
      `user-${index + 1}-60`,
      `organization-${index + 1}-60`,
      `podcast-${index + 1}-60`,
    ]);
    const pictures = await Promise.all(names.flat().map(bytesOf));
    expect(new Set(pictures.map((bytes) => bytes.toString("base64"))).size).toBe(900);
    for (const bytes of pictures.slice(0, 50)) {
      const { channels } = await sharp(bytes).greyscale().stats();
      expect(channels[0]?.stdev).toBeGreaterThan(5);
    }
  });
});

test("generated images count as reads", async () => {
  const limited = await startWorld({
    build: serverWith(identiconRoutes),
    rateLimits: true,
    settings: { read_burst: "3", read_rate: "1" },
  });
  try {
    const ask = (id: number) => limited.app.inject(`/assets/identicons/user-${id}-60.png`);
    const responses = await Promise.all(Array.from({ length: 600 }, (_, index) => ask(index + 1)));
    const statuses = new Set(responses.map(({ statusCode }) => statusCode));
    expect(statuses).toEqual(new Set([200, 429]));
  } finally {
    await limited.stop();
  }
});

test("an image that was drawn before costs a fraction of a new one", async () => {
  let drawn = 0;
  const cost = (nextId: () => number) =>
    cpuCost(async () => {
      for (let index = 0; index < 100; index++)
        await world.app.inject(`/assets/identicons/user-${nextId()}-640.png`);
    });
  const anew = await cost(() => ++drawn);
  expect(await cost(() => 1)).toBeLessThan(0.8 * anew);
});
