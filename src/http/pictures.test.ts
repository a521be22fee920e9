import { afterAll, beforeAll, expect, test } from "vitest";
import { serverWith, startWorld, type World } from "../../test/world.ts";
import { pictureRoutes } from "./pictures.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ build: serverWith(pictureRoutes), settings: { visibility: "private" } });
});
afterAll(() => world.stop());

test.each([
  ["default-user-640.png", 640, 640],
  ["default-user-320.png", 320, 320],
  ["default-user-90.png", 90, 90],
  ["default-user-60.png", 60, 60],
  ["default-organization-640.png", 640, 640],
  ["default-organization-320.png", 320, 320],
  ["default-organization-90.png", 90, 90],
  ["default-organization-60.png", 60, 60],
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

test.each(["/assets/", "/assets/other.png", "/assets/..%2Fpackage.json", "/assets/default-user-640.png/"])(
  "%s is nothing",
  async (url) => {
    expect((await world.get(url)).status).toBe(404);
  },
);
