import { readFile, rename, truncate, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { basename, dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { foreignImports } from "../../../test/foreign-imports.ts";
import { faultAt, filesLike, pullsInto } from "../../../test/pulling.ts";

const site = foreignImports();
const there = pullsInto(site);
const asked = () => there.asked.map(({ url }) => url);

describe("a site that fails", () => {
  let whole: string;
  beforeAll(async () => {
    whole = (await there.pulled()).text;
  });

  test.each<[string, (response: ServerResponse) => void, number]>([
    ["429 with Retry-After", (response) => response.writeHead(429, { "retry-after": "7" }).end(), 7_000],
    ["500", (response) => response.writeHead(500).end("{}"), 2_000],
    ["a connection that is cut", (response) => response.socket?.destroy(), 2_000],
    [
      "a body that is cut",
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("[");
        setImmediate(() => response.socket?.destroy());
      },
      2_000,
    ],
    ["a body that isn't JSON", (response) => response.end("<html>"), 2_000],
  ])("is asked again after %s", async (_name, happen, milliseconds) => {
    there.fail(faultAt([1, 4], happen));
    const { text, pauses } = await there.pulled();
    expect(text).toBe(whole);
    expect(pauses.filter((each) => each === milliseconds)).toHaveLength(2);
  });

  test("is left alone after six attempts, and the next run goes on where that one was", async () => {
    const to = site.newPath("again.ndjson");
    const refusing = faultAt([10, 11, 12, 13, 14, 15], (response) => response.writeHead(503).end());
    there.fail(refusing);
    await expect(there.pulled({ to })).rejects.toThrow(
      /^http:\S+ can't be read: it answers \S+ with the status 503\. Run the same command again later: it continues where it stopped\.$/,
    );
    const first = asked().filter((url) => /^\/api\/articles\/\d/.test(url ?? ""));
    expect(await filesLike(to)).toEqual([expect.stringMatching(/\.ndjson\.[0-9a-f]{8}\.part$/)]);
    there.reset();
    expect((await there.pulled({ to })).text).toBe(whole);
    expect(asked()).not.toContain(first[0]);
    expect(await filesLike(to)).toEqual([basename(to)]);
  });

  test("that asks for a long pause is left alone at once", async () => {
    there.fail(faultAt([1], (response) => response.writeHead(429, { "retry-after": "86400" }).end()));
    await expect(there.pulled()).rejects.toThrow("Run the same command again later");
    expect(there.asked).toHaveLength(1);
  });
});

test("a pull that was killed at any byte continues to the same file", async () => {
  const { text: whole } = await there.pulled();
  const bytes = Buffer.byteLength(whole);
  const to = site.newPath("killed.ndjson");
  // Stops before the last request, so that a part is left.
  there.fail((request, response) => {
    if (!request.url?.startsWith("/api/tags")) return false;
    response.writeHead(403).end();
    return true;
  });
  await expect(there.pulled({ to })).rejects.toThrow("403");
  const [part] = await filesLike(to);
  const path = join(dirname(to), String(part));
  const left = await readFile(path);
  there.reset();
  for (let size = 0; size < bytes; size += 97) {
    await writeFile(path, left.subarray(0, size));
    expect((await there.pulled({ to })).text).toBe(whole);
    await rename(to, path);
    await truncate(path, left.length);
  }
});
