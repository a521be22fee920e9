import { afterEach, beforeEach, vi } from "vitest";
import { run } from "../src/cli/run.ts";
import { type Outcome, programForAll, type Surroundings, urlOf } from "./program.ts";

/** What a stream of a process is given. A character may come in two pieces. */
function createSink() {
  const pieces: Buffer[] = [];
  return {
    write(piece: string | Uint8Array): true {
      pieces.push(Buffer.from(piece as string));
      return true;
    },
    text: () => Buffer.concat(pieces).toString(),
    empty: () => void pieces.splice(0),
  };
}

/** Runs commands in this process, which is faster than another one, with these settings for every test. */
export function commandsWith(settings: () => Record<string, string>) {
  const [out, err] = [createSink(), createSink()];
  beforeEach(() => {
    // Vitest's own means something else.
    const environment = { BASE_URL: "http://localhost:3000", ...settings() };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.spyOn(process.stdout, "write").mockImplementation(out.write);
    vi.spyOn(process.stderr, "write").mockImplementation(err.write);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  return async (...args: string[]): Promise<Outcome> => {
    out.empty();
    err.empty();
    const code = await run(args);
    // It is the command's, and this process has one of its own.
    process.exitCode = undefined;
    return { code, out: out.text(), err: err.text() };
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
  const [out, err] = [createSink(), createSink()];
  const cwd = process.cwd();
  const before = process.env;
  const [toOut, toErr] = [process.stdout.write, process.stderr.write];
  process.env = { ...before, ...settings };
  process.chdir(folder);
  [process.stdout.write, process.stderr.write] = [out.write, err.write];
  try {
    const code = await run(args);
    process.exitCode = undefined;
    return { code, out: out.text(), err: err.text() };
  } finally {
    [process.stdout.write, process.stderr.write] = [toOut, toErr];
    process.chdir(cwd);
    process.env = before;
  }
}
