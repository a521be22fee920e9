import { describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

const INDEX = {
  docs: "https://ink.example/api/docs",
  document: "https://ink.example/api/openapi.json",
  search: "https://ink.example/api/articles/search",
  instance: "https://ink.example/api/instance",
};

describe("the index of the API", () => {
  const world = worldForAll({ rateLimits: true });
  test.each(["/api", "/api/"])("at %s names the first addresses a client needs", async (url) => {
    const { status, body, headers } = await world.get(url);
    expect({ status, body }).toEqual({ status: 200, body: INDEX });
    expect(headers).toMatchObject({
      "content-type": "application/vnd.service.api-v1+json; charset=utf-8",
      "cache-control": "public, no-cache",
      "access-control-allow-origin": "*",
      "ratelimit-policy": expect.stringMatching(/^"reads"/),
    });
    const etag = String(headers["etag"]);
    expect(await world.get(url, { headers: { "if-none-match": etag } })).toMatchObject({ status: 304 });
    const head = await world.request({ method: "HEAD", url });
    expect([head.status, head.text, head.headers["etag"]]).toEqual([200, "", etag]);
    const post = await world.request({ method: "POST", url });
    expect([post.status, post.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("names nothing that isn't there", async () => {
    for (const address of Object.values(INDEX)) {
      expect([address, (await world.get(new URL(address).pathname)).status]).toEqual([address, 200]);
    }
  });
});
