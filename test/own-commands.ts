import { afterEach, beforeEach, vi } from "vitest";
import { run } from "../src/cli/run.ts";
import { type Outcome, programForAll, type Surroundings, urlOf } from "./program.ts";

/** Runs commands in this process, which is faster than another one, with these settings for every test. */
export function commandsWith(settings: () => Record<string, string>) {
  let [out, err] = ["", ""];
  beforeEach(() => {
    // Vitest's own means something else.
    const environment = { BASE_URL: "http://localhost:3000", ...settings() };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
    vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  return async (...args: string[]): Promise<Outcome> => {
    [out, err] = ["", ""];
    const code = await run(args);
    // It is the command's, and this process has one of its own.
    process.exitCode = undefined;
    return { code, out, err };
  };
}

/**
 * Like programForAll, but commands run one by one in this process, in the folder. Servers, and commands that read
 * standard input, get processes.
 */
export function commandsForAll() {
  const site = programForAll();
  let last: Promise<unknown> = Promise.resolve();
  return {
    database: site.database,
    get folder() {
      return site.folder;
    },
    /** The program as a process. */
    program: site.inkstone,
    inkstone(args: string[], { env = {}, input }: Partial<Omit<Surroundings, "cwd">> = {}): Promise<Outcome> {
      if (args[0] === "serve" || input !== undefined)
        return site.inkstone(args, { env, ...(input !== undefined && { input }) });
      const settings = { BASE_URL: "http://localhost:3000", DATABASE_URL: urlOf(site.database.name), ...env };
      const ran = last.then(() => runIn(site.folder, settings, args));
      last = ran.catch(() => {});
      return ran;
    },
  };
}

/** Leaves the process as it was. */
async function runIn(folder: string, settings: Record<string, string>, args: string[]): Promise<Outcome> {
  let [out, err] = ["", ""];
  const cwd = process.cwd();
  const before = process.env;
  const [toOut, toErr] = [process.stdout.write, process.stderr.write];
  process.env = { ...before, ...settings };
  process.chdir(folder);
  process.stdout.write = (text) => ((out += String(text)), true);
  process.stderr.write = (text) => ((err += String(text)), true);
  try {
    const code = await run(args);
    process.exitCode = undefined;
    return { code, out, err };
  } finally {
    [process.stdout.write, process.stderr.write] = [toOut, toErr];
    process.chdir(cwd);
    process.env = before;
  }
}
