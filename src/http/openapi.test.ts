import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll();

/** As `world.get`, with the bytes of the answer. */
async function fetched(url: string, headers: Record<string, string> = {}) {
  const {
    statusCode: status,
    rawPayload: bytes,
    headers: answered,
  } = await world.app.inject({ url, headers });
  return { status, bytes, headers: answered };
}

const encodingFor = async (accepted: string) => {
  const { headers } = await fetched("/api/openapi.json", { "accept-encoding": accepted });
  return headers["content-encoding"];
};

const PATH = "/api/openapi.json";

describe("the OpenAPI document", () => {
  test("is compressed for clients that accept it, and the same in every encoding", async () => {
    const plain = await fetched(PATH);
    const gzip = await fetched(PATH, { "accept-encoding": "gzip" });
    const brotli = await fetched(PATH, { "accept-encoding": "gzip, deflate, br" });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(gzip.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "Accept-Encoding" });
    expect(plain.headers["vary"]).toBe("Accept-Encoding");
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gzip.bytes.length).toBeLessThan(plain.bytes.length);
    const etags = [plain, gzip, brotli].map(({ headers }) => headers["etag"]);
    expect(new Set(etags).size).toBe(1);
  });

  test("is 304 for a known version, whatever encoding it came in", async () => {
    const accepted = { "accept-encoding": "br" };
    const { headers } = await fetched("/api/openapi.json", accepted);
    const known = { "if-none-match": String(headers["etag"]) };
    expect(await fetched("/api/openapi.json", { ...accepted, ...known })).toMatchObject({
      status: 304,
      headers: { etag: headers["etag"], vary: "Accept-Encoding" },
    });
    expect((await fetched("/api/openapi.json", known)).status).toBe(304);
  });

  test("is sent in the encoding that the client prefers", async () => {
    expect(await encodingFor("br;q=0.1, gzip;q=0.9")).toBe("gzip");
    expect(await encodingFor("GZIP")).toBe("gzip");
    expect(await encodingFor("br;q=0, *")).toBe("gzip");
    expect(await encodingFor("*")).toBe("br");
    expect(await encodingFor("identity, gzip;q=0.5")).toBeUndefined();
    expect(await encodingFor("br;q=0, gzip;q=0")).toBeUndefined();
    expect(await encodingFor("zstd")).toBeUndefined();
    expect(await encodingFor(";;q=x,,")).toBeUndefined();
  });
});
