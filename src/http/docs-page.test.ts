import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { community_name: 'Tom & "Jerry" <b>' } });
});
afterAll(() => world.stop());

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

describe("the page of the API", () => {
  test("bears the community's name, and links the document that it shows", async () => {
    const { text } = await world.get("/api/docs");
    expect(text).toContain('<title>API of Tom &amp; "Jerry" &lt;b&gt;</title>');
    expect(text).toContain('<strong>Tom &amp; "Jerry" &lt;b&gt;</strong>');
    expect(text).toContain('href="/api/openapi.json"');
    expect((await world.get("/api/docs/static/docs.js")).text).toContain('url: "/api/openapi.json"');
  });

  test("filters operations, and follows the reader's colour scheme", async () => {
    const { text } = await world.get("/api/docs/static/docs.js");
    expect(text).toContain("filter: true");
    expect(text).toContain("(prefers-color-scheme: dark)");
  });
});

describe("the document and the files of its page", () => {
  const paths = ["/api/openapi.json", "/api/docs", "/api/docs/static/swagger-ui-bundle.js"];

  test("are compressed for clients that accept it, and the same in every encoding", async () => {
    for (const path of paths) {
      const plain = await fetched(path);
      const gzip = await fetched(path, { "accept-encoding": "gzip" });
      const brotli = await fetched(path, { "accept-encoding": "gzip, deflate, br" });
      expect(plain.headers).not.toHaveProperty("content-encoding");
      expect(gzip.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
      expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "Accept-Encoding" });
      expect(plain.headers["vary"]).toBe("Accept-Encoding");
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      expect(gzip.bytes.length).toBeLessThan(plain.bytes.length);
      const etags = [plain, gzip, brotli].map(({ headers }) => headers["etag"]);
      expect(new Set(etags).size).toBe(1);
    }
  });

  test("are 304 for a known version, whatever encoding it came in", async () => {
    const accepted = { "accept-encoding": "br" };
    const { headers } = await fetched("/api/openapi.json", accepted);
    const known = { "if-none-match": String(headers["etag"]) };
    expect(await fetched("/api/openapi.json", { ...accepted, ...known })).toMatchObject({
      status: 304,
      headers: { etag: headers["etag"], vary: "Accept-Encoding" },
    });
    expect((await fetched("/api/openapi.json", known)).status).toBe(304);
  });

  test("are sent in the encoding that the client prefers", async () => {
    expect(await encodingFor("br;q=0.1, gzip;q=0.9")).toBe("gzip");
    expect(await encodingFor("GZIP")).toBe("gzip");
    expect(await encodingFor("br;q=0, *")).toBe("gzip");
    expect(await encodingFor("*")).toBe("br");
    expect(await encodingFor("identity, gzip;q=0.5")).toBeUndefined();
    expect(await encodingFor("br;q=0, gzip;q=0")).toBeUndefined();
    expect(await encodingFor("zstd")).toBeUndefined();
    expect(await encodingFor(";;q=x,,")).toBeUndefined();
  });

  test("have the head that they have with their bytes", async () => {
    const request = { url: "/api/openapi.json", headers: { "accept-encoding": "gzip" } };
    const { headers } = await world.app.inject(request);
    const head = await world.app.inject({ ...request, method: "HEAD" });
    expect(head.headers["content-length"]).toBe(headers["content-length"]);
  });
});
