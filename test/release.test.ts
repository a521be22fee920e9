import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "./commands.ts";

const SCRIPT = join(import.meta.dirname, "../scripts/release.mjs");

/** Knows one published version of each package. */
const npmServer = createServer((request, response) => {
  const name = request.url?.slice(1) ?? "";
  const version = "0.9.0";
  const dist = { tarball: "http://127.0.0.1/x.tgz", integrity: "sha512-AAAA" };
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { name, version, dist } },
    }),
  );
});
beforeAll(async () => {
  npmServer.listen(0, "127.0.0.1");
  await once(npmServer, "listening");
});
afterAll(() => {
  npmServer.closeAllConnections();
  npmServer.close();
});

/** A repository with two packages of version 0.1.0, and a changelog of two versions. */
let clone: string;
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), "inkstone-release-"));
  const write = (path: string, text: string) => writeFile(join(clone, path), text);
  const [program, client] = ["inkstone", "inkstone-client"].map((name) => ({ name, version: "0.1.0" }));
  const workspaces = ["clients/typescript"];
  await mkdir(join(clone, "clients/typescript"), { recursive: true });
  await write("package.json", JSON.stringify({ ...program, workspaces }));
  await write("clients/typescript/package.json", JSON.stringify(client));
  const packages = {
    "": { ...program, workspaces },
    "clients/typescript": client,
    "node_modules/inkstone-client": { resolved: "clients/typescript", link: true },
  };
  await write("package-lock.json", JSON.stringify({ ...program, lockfileVersion: 3, packages }));
  await write(
    "CHANGELOG.md",
    "# Changelog\n\n## 1.0.0\n\nBackups.\n\n## 0.9.0\n\nSearch.\n\n## 0.8.0\n\n## 0.1.0\n\nAll.\n",
  );
  await cp(SCRIPT, join(clone, "release.mjs"));
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "Begin");
});
afterEach(() => rm(clone, { recursive: true, force: true }));

const PERSON = { NAME: "Ada", EMAIL: "ada@ink.example" };
const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: clone, env: environment(), encoding: "utf8" }).trim();

function environment(): NodeJS.ProcessEnv {
  const { port } = npmServer.address() as AddressInfo;
  const people = ["AUTHOR", "COMMITTER"].flatMap((role) =>
    Object.entries(PERSON).map(([name, value]) => [`GIT_${role}_${name}`, value]),
  );
  const npm = { npm_config_registry: `http://127.0.0.1:${port}`, npm_config_cache: join(tmpdir(), "npm") };
  return { ...process.env, ...Object.fromEntries(people), ...npm };
}

function release(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["release.mjs", ...args],
      { cwd: clone, env: environment() },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

const versionIn = async (path: string) =>
  (JSON.parse(await readFile(join(clone, path), "utf8")) as { version: string }).version;

test("a release gives both packages its version, and commits and tags it", async () => {
  const { code, out } = await release("1.0.0");
  expect({ code, out }).toEqual({
    code: 0,
    out: "v1.0.0 is tagged. Publish it: git push --follow-tags\n",
  });
  expect(await versionIn("package.json")).toBe("1.0.0");
  expect(await versionIn("clients/typescript/package.json")).toBe("1.0.0");
  expect(await versionIn("package-lock.json")).toBe("1.0.0");
  expect(git("status", "--porcelain")).toBe("");
  expect(git("describe")).toBe("v1.0.0");
  expect(await release("1.0.0", "--tagged")).toMatchObject({ code: 0, out: "v1.0.0 can be published.\n" });
});

describe("a release is refused, and changes nothing,", () => {
  test.each([
    ["without a version", [""], "Name a version, such as 1.2.0."],
    ["without an entry in the changelog", ["1.1.0"], 'write one under the heading "## 1.1.0"'],
    ["with an empty entry", ["0.8.0"], 'write one under the heading "## 0.8.0"'],
    [
      "when its version is published",
      ["0.9.0"],
      "inkstone 0.9.0 is published already: take a higher version.",
    ],
    ["when its tag isn't at the commit", ["1.0.0", "--tagged"], "The tag v1.0.0 isn't at this commit."],
  ])("%s", async (_name, args, sentence) => {
    const head = git("rev-parse", "HEAD");
    const { code, err } = await release(...args);
    expect(code).toBe(1);
    expect(err).toContain(sentence);
    expect([git("rev-parse", "HEAD"), git("tag", "--list")]).toEqual([head, ""]);
  });

  test("when the tree has changes", async () => {
    await writeFile(join(clone, "new.txt"), "new");
    expect(await release("1.0.0")).toMatchObject({
      code: 1,
      err: "No release 1.0.0: The tree has changes: commit them, or remove them.\n",
    });
    expect(git("tag", "--list")).toBe("");
  });

  test("when its tag is there", async () => {
    git("tag", "v1.0.0");
    const { code, err } = await release("1.0.0");
    expect(code).toBe(1);
    expect(err).toContain("The tag v1.0.0 exists already: take a higher version.");
  });

  test("when the packages have another version than the tag", async () => {
    git("tag", "v1.0.0");
    const { code, err } = await release("1.0.0", "--tagged");
    expect(code).toBe(1);
    expect(err).toContain("The packages have the versions 0.1.0, 0.1.0.");
  });
});
