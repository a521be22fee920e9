import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programForAll } from "../../test/program.ts";
import { VERSION } from "../config.ts";

const { inkstone } = programForAll();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-loaded-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** How much of the bundle a command loads, in bytes: Node lists the scripts it has run for measures of coverage. */
async function loadedBy(...args: string[]): Promise<number> {
  const directory = join(folder, args.join(""));
  const { code } = await inkstone(args, { env: { NODE_V8_COVERAGE: directory } });
  expect(code).toBe(0);
  const [report = ""] = await readdir(directory);
  const { result } = JSON.parse(await readFile(join(directory, report), "utf8")) as {
    result: { url: string }[];
  };
  const files = result.flatMap(({ url }) => (url.includes("/dist/") ? [fileURLToPath(url)] : []));
  expect(files.some((file) => file.endsWith("dist/cli.js"))).toBe(true);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const SITE_BYTES = 3_000_000;

test("the version is known without loading a command, and a command without loading the site", async () => {
  expect((await inkstone(["--version"])).out).toBe(`${VERSION}\n`);
  expect(await loadedBy("--version")).toBeLessThan(400_000);
  expect(await loadedBy("serve", "--help")).toBeLessThan(1_000_000);
  expect(await loadedBy("openapi")).toBeGreaterThan(SITE_BYTES);
});

test("stack traces of the bundle name the sources", async () => {
  const { err } = await inkstone(["settings", "get", "colour"], { env: { LOG_LEVEL: "debug" } });
  expect(err).toMatch(/^inkstone: There is no setting "colour"/);
  expect(err).toMatch(/\n {4}at .*\/src\/errors\.ts:\d+:\d+/);
  expect(err).toMatch(/\/src\/cli\/settings\.ts:\d+:\d+/);
  expect(err).not.toContain("/dist/");
});

test("the licences of the packages in the bundle accompany it", async () => {
  const notices = await readFile(new URL("../../dist/third-party-notices.txt", import.meta.url), "utf8");
  const names = [...notices.matchAll(/^── (\S+) /gm)].map((match) => match[1]);
  expect(names).toEqual(expect.arrayContaining(["fastify", "pg", "sanitize-html", "lucide-static"]));
  expect(notices).toContain("MIT License");
});
