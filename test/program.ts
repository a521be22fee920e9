import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { builtProgram } from "./build.ts";
import { connectionTo } from "./database.ts";
import { databaseForAll } from "./own-database.ts";

/** How the program's DATABASE_URL names a database of the test server. */
export function urlOf(name: string, connection = connectionTo(name)): string {
  const { connectionString, host, port, user } = connection;
  return (
    connectionString ?? `postgres:///${name}?host=${encodeURIComponent(host ?? "")}&port=${port}&user=${user}`
  );
}

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

export interface Surroundings {
  cwd: string;
  env: Record<string, string>;
  /** Standard input. */
  input?: string;
}

/** Runs the program to its end as a person would, with these settings and no others. */
function runProgram(args: string[], { cwd, env, input }: Surroundings): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [builtProgram(), ...args], { cwd, env }, (error, out, err) => {
      // A program that a signal ended has no code.
      const code = typeof error?.code === "number" ? error.code : -1;
      resolve({ code: error ? code : 0, out, err });
    });
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** A folder and a database for all tests of a file, and the program run there. */
export function programForAll() {
  const database = databaseForAll();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "inkstone-cli-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    database,
    get folder() {
      return folder;
    },
    /** The environment holds `env` and, unless that names another, the DATABASE_URL of this database. */
    inkstone(args: string[], { env = {}, input }: Partial<Omit<Surroundings, "cwd">> = {}): Promise<Outcome> {
      const settings = { DATABASE_URL: urlOf(database.name), ...env };
      return runProgram(args, { cwd: folder, env: settings, ...(input !== undefined && { input }) });
    },
  };
}
