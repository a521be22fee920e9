import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { until } from "../../../test/waiting.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { form, FORM_TYPE, pngOf, uploading } from "../../../test/pictures.ts";
import { worldForAll } from "../../../test/world.ts";

const NOW = new Date("2026-03-02T09:15:00Z");

const SETTINGS = { write_burst: "1000", write_rate: "1000" };

let key: string;
let upload: ReturnType<typeof uploading>["upload"];
let leavingNothing: ReturnType<typeof uploading>["leavingNothing"];
const world = worldForAll({ now: NOW, rateLimits: true, settings: SETTINGS });
beforeAll(async () => {
  key = await newKey();
  ({ upload, leavingNothing } = uploading(world, key));
});

const newKey = async () => world.key(await world.user());

describe("is refused, and leaves nothing behind:", () => {
  const png = pngOf(5, 5);

  test.each([
    ["one without a key", { key: undefined }, 401],
    ["a wrong key's", { key: "wrong" }, 401],
    ["JSON", { headers: { "content-type": "application/json" } }, 415],
    ["bytes of an image", { headers: { "content-type": "image/png" } }, 415],
    ["a form of another kind", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415],
    ["a form without a boundary", { headers: { "content-type": "multipart/form-data" } }, 400],
    [
      "a form with another boundary",
      { headers: { "content-type": "multipart/form-data; boundary=YY" } },
      400,
    ],
  ])("%s", async (_name, options, status) => {
    await leavingNothing(async () => expect((await upload(form(png), options)).status).toBe(status));
  });

  test("a read-only key's", async () => {
    const readOnly = await world.key(await world.user(), { readOnly: true });
    await leavingNothing(async () => expect((await upload(form(png), { key: readOnly })).status).toBe(401));
  });

  test.each([
    ["no image", form(png, 'name="picture"; filename="a.png"'), "image is missing"],
    ["a text", form(png, 'name="image"'), "image is missing"],
    ["an empty file", form(Buffer.alloc(0)), "image is empty"],
    [
      "two",
      Buffer.concat([form(png).subarray(0, -6), Buffer.from("\r\n"), form(png)]),
      "image was sent more than once",
    ],
    ["no picture", form(Buffer.from("<svg onload=alert(1)>")), "Image isn't of a known format"],
    ["196 megapixels", form(pngOf(14_000, 14_000)), "Image has too many pixels"],
  ])("%s", async (_name, body, sentence) => {
    await leavingNothing(async () => {
      const reply = await upload(body);
      expect(reply).toMatchObject({
        status: 422,
        body: { error: expect.stringContaining(sentence), status: 422 },
      });
    });
  });

  test("what has an archive at its end, also with a comment or with more behind it", async () => {
    const photo = await sharp(png).jpeg().toBuffer();
    const end = Buffer.alloc(22);
    end.write("PK\x05\x06", "latin1");
    const commented = Buffer.from(end);
    commented.writeUInt16LE(5, 20);
    // Of a kind that counts otherwise.
    commented.fill(0xff, 4, 12);
    for (const archive of [
      Buffer.concat([commented, Buffer.from("hello")]),
      Buffer.concat([end, Buffer.from("hello")]),
    ]) {
      await leavingNothing(async () => {
        const reply = await upload(form(Buffer.concat([photo, archive])));
        expect(reply.body).toMatchObject({ error: expect.stringContaining("Image is also an archive") });
      });
    }
  });

  test("no body", async () => {
    const reply = await world.request({ method: "POST", url: "/api/image_uploads", key });
    expect(reply).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining("image is missing") },
    });
  });

  test.each([10 * 1024 * 1024 + 1, 11 * 1024 * 1024])("%i bytes", async (size) => {
    const reply = await upload(form(Buffer.alloc(size)));
    const detail = "The file is larger than 10 MiB, the most that is allowed here: send a smaller one";
    expect(reply).toMatchObject({ status: 413, body: { error: "payload too large", status: 413, detail } });
  });

  test("what a database that fails didn't take", async () => {
    await world.superuser.schema.alterTable("events").renameTo("events_away").execute();
    await leavingNothing(async () => expect((await upload(form(png))).status).toBe(500));
    await world.superuser.schema.alterTable("events_away").renameTo("events").execute();
    world.bugs.length = 0;
  });
});

test("a picture in which the name of a record of an archive stands by chance is accepted", async () => {
  const photo = await sharp(pngOf(5, 5)).jpeg().toBuffer();
  const noise = Buffer.concat([Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(40, 0x5a)]);
  for (const bytes of [noise, noise.subarray(0, 10)]) {
    const reply = await upload(form(Buffer.concat([photo, bytes])), { key: await newKey() });
    expect(reply.status).toBe(201);
  }
});

describe("over a socket", () => {
  let port: number;
  beforeAll(async () => {
    await world.app.listen({ host: "127.0.0.1", port: 0 });
    port = (world.app.server.address() as AddressInfo).port;
  });

  const head = (length: number) =>
    `POST /api/image_uploads HTTP/1.1\r\nHost: x\r\napi-key: ${key}\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${length}\r\n\r\n`;

  test("an aborted upload leaves nothing, and hinders no other", async () => {
    await leavingNothing(async () => {
      for (let round = 0; round < 20; round++) {
        const socket = connect(port, "127.0.0.1", () =>
          socket.write(head(1_000) + "--XX\r\nContent-Disposition"),
        );
        await sleep(20);
        socket.destroy();
      }
      await sleep(200);
    });
    expect((await upload(form(pngOf(3, 3)), { key: await newKey() })).status).toBe(201);
  });

  test("a person with many bodies on the way is asked to come back, and others aren't", async () => {
    // Four more than have room: one that comes beside an upload of the loop below may be refused in its place.
    const sockets = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
    for (const socket of sockets) socket.write(head(1_000) + "--XX\r\n");
    // Until they have all come as far as their bodies; an empty image counts for no limit.
    const reply = await until(async () => {
      const one = await upload(form(Buffer.alloc(0)));
      return one.status === 503 && one;
    });
    expect(reply.headers["retry-after"]).toBe("5");
    expect((await upload(form(pngOf(3, 3)), { key: await newKey() })).status).toBe(201);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await upload(form(pngOf(3, 3)))).status === 201);
  });

  test("an image that is announced as too large is refused before it comes", async () => {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(head(20_000_000)));
      socket.once("data", (data) => (resolve(String(data)), socket.destroy()));
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });
});
