import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { createProgram, run } from "../src/operate/cli/run.ts";
import { connectionTo } from "./database.ts";
import { databaseForAll } from "./own-database.ts";
import { builtProgram } from "./setup.ts";

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

/** A folder and a database for all tests of a file, empty or a copy of this template, and the program run there. */
export function programForAll(template?: () => Promise<string>) {
  const database = databaseForAll(template);
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
export function commandsForAll(template?: () => Promise<string>) {
  const site = programForAll(template);
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

/**
 * Runs the arguments in a terminal of 120 columns, whose output is its standard output; hands signals on.
 * NOFLSH, since a terminal drops unread output at ^C by default.
 */
const TERMINAL = `
import fcntl, os, pty, signal, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    modes = termios.tcgetattr(0)
    modes[3] |= termios.NOFLSH
    termios.tcsetattr(0, termios.TCSANOW, modes)
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGINT, lambda *_: os.write(fd, b"\\x03"))
while True:
    try:
        text = os.read(fd, 65536)
    except OSError:
        break
    if not text:
        break
    os.write(1, text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Terminals are made with Python here; Node can't. */
export const hasTerminals = spawnSync("python3", ["-c", "import pty"]).status === 0;

export interface Terminal {
  /** All that was written, ^C and escape sequences included. */
  output: () => string;
  interrupt: () => void;
  ended: Promise<number>;
}

interface Options {
  cwd: string;
  env: object;
  program?: string;
}

export function inTerminal(args: string[], { cwd, env, program = builtProgram() }: Options): Terminal {
  const child = spawn("python3", ["-c", TERMINAL, process.execPath, program, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...env },
  });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += String(text)));
  child.stderr.on("data", (text: Buffer) => (output += String(text)));
  return {
    output: () => output.replaceAll("\r\n", "\n"),
    interrupt: () => void child.kill("SIGINT"),
    ended: once(child, "close").then(([code]) => Number(code)),
  };
}

/** Every command that does something, as it is typed after `inkstone`. */
export async function everyCommand(): Promise<string[]> {
  return commands(await createProgram([]));
}

function commands(of: Command, before = ""): string[] {
  return of.commands.flatMap((command) => {
    const typed = `${before}${command.name()}`;
    return command.commands.length === 0 ? [typed] : commands(command, `${typed} `);
  });
}
