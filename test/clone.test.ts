import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

const BUILD = `import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
  console.log("bundling");
  mkdirSync("dist", { recursive: true });
  copyFileSync("src/cli.js", "dist/cli.js");
  writeFileSync("dist/.built", "");`;

/** A clone whose program and build are one line each. */
let clone: string;
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "inkstone-clone-"));
  for (const path of ["bin/inkstone.js", "scripts/build-if-stale.mjs"])
    await cp(join(ROOT, path), join(clone, path));
  const bin = { inkstone: "bin/inkstone.js" };
  const manifest = { name: "inkstone", version: "0.0.0", type: "module", bin };
  await writeFile(join(clone, "package.json"), JSON.stringify(manifest));
  await writeFile(join(clone, "scripts/build.mjs"), BUILD);
  await mkdir(join(clone, "src"));
  await writeSource('console.log("first", process.argv[2]);');
});
afterAll(() => rm(clone, { recursive: true, force: true }));

const writeSource = (text: string) => writeFile(join(clone, "src/cli.js"), text);

function run(command: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, npm_config_cache: join(clone, ".npm") };
  return new Promise((resolve) => {
    execFile(command, args, { cwd: clone, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
const inkstone = (...args: string[]) => run(process.execPath, "bin/inkstone.js", ...args);

test("a clone without its packages says what to do", async () => {
  const { code, out, err } = await inkstone("x");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe("inkstone: The packages that build the program aren't installed: run `npm ci` first.\n");
});

test("a clone builds the program before its first command, and tells standard error alone", async () => {
  await mkdir(join(clone, "node_modules/esbuild"), { recursive: true });
  const { code, out, err } = await inkstone("one");
  expect({ code, out }).toEqual({ code: 0, out: "first one\n" });
  expect(err).toMatch(/^Building Inkstone …\nBuilt Inkstone in \d+ s\.\n$/);
  expect(await inkstone("two")).toEqual({ code: 0, out: "first two\n", err: "" });
});

test("a clone builds again when a source has changed", async () => {
  await writeSource('console.log("second", process.argv[2]);');
  expect((await inkstone("one")).out).toBe("second one\n");
});

test.each([
  "src/site/kit/styles/base.css",
  "src/site/kit/client/theme.ts",
  "src/site/home.tsx",
  "assets/favicon.svg",
  "scripts/build-assets.mjs",
])("a clone builds again when %s has changed", async (path) => {
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), "changed");
  expect((await inkstone("one")).err).toContain("Built Inkstone");
  expect((await inkstone("one")).err).toBe("");
});

test("npx runs the program of a clone, with nothing else on standard output", async () => {
  const { code, out } = await run("npx", "inkstone", "three");
  expect({ code, out }).toEqual({ code: 0, out: "second three\n" });
});

test("a build that fails shows why, and the program doesn't run", async () => {
  await rm(join(clone, "src/cli.js"));
  const { code, out, err } = await inkstone("one");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("src/cli.js");
  expect(err).toMatch(/inkstone: The build failed\.\n$/);
});
