import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { capture } from "./http.ts";
import { type MostMemory, watchMemory } from "./processes.ts";
import { freePort } from "../../test/waiting.ts";

/** The program of a checkout. */
export interface Program {
  root: string;
}

export const OURS: Program = { root: join(import.meta.dirname, "../..") };

/** The program of another checkout, which has its own packages. */
export async function openProgram(root: string): Promise<Program> {
  if (!existsSync(join(root, "node_modules")))
    throw new Error(`${root} has no node_modules: run \`npm ci\` in it first.`);
  await build({ root });
  return { root };
}

function binOf({ root }: Program): string {
  return join(root, "bin/inkstone.js");
}

/** The command of `npm start`, to be run from anywhere. */
function startOf(program: Program): string {
  const { scripts } = JSON.parse(readFileSync(join(program.root, "package.json"), "utf8"));
  return (scripts.start as string).replace("bin/inkstone.js", binOf(program));
}

const START_SECONDS = 60;
const STOP_SECONDS = 40;

export interface Server {
  baseUrl: string;
  pid: number;
}

/** The program, serving. */
export interface Serving extends Server {
  /** From the start of the process until it was ready. */
  readyMilliseconds: number;
  stop(): Promise<void>;
}

/** Compiles the program where that is needed, as every script that runs it does. */
export async function build({ root } = OURS): Promise<void> {
  const script = join(root, "scripts/build-if-stale.mjs");
  await end(spawn(process.execPath, [script], { cwd: root, stdio: "inherit" }), "The build");
}

/** Starts the program as its users do, on a free port, and waits until it is ready. */
export async function serve(
  dataDir: string,
  { program = OURS, environment = {} }: { program?: Program; environment?: Record<string, string> } = {},
): Promise<Serving> {
  const port = environment["PORT"] ?? (await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawnProgram("/bin/sh", ["-c", startOf(program)], {
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: baseUrl,
    ...environment,
  });
  child.stdout?.resume();
  try {
    await untilReady(child, baseUrl);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  const readyMilliseconds = performance.now() - startedAt;
  return { baseUrl, pid: child.pid as number, readyMilliseconds, stop: () => stop(child) };
}

/** Runs a command of the program to its end; gives its output and the most memory. */
export async function command(
  dataDir: string,
  args: string[],
  program = OURS,
  environment: Record<string, string> = {},
) {
  const own = { DATA_DIR: dataDir, ...environment };
  const child = spawnProgram(process.execPath, [binOf(program), ...args], own);
  const out = text(child.stdout as Readable);
  const stopWatching = watchMemory(child.pid as number);
  let memory: MostMemory | undefined;
  try {
    await end(child, `\`inkstone ${args.join(" ")}\``);
  } finally {
    memory = stopWatching();
  }
  return { memory, out: await out };
}

/** Seconds of processor time of a command of the program, which must need no settings. */
export function commandCpu(args: string[]): number {
  // The shell's second line tells the time of its children.
  const script = '"$0" "$@" >/dev/null && times';
  const { stdout } = spawnSync("/bin/sh", ["-c", script, process.execPath, binOf(OURS), ...args], {
    encoding: "utf8",
  });
  const times = [...(stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length === 0) throw new Error(`\`inkstone ${args.join(" ")}\` failed.`);
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

function spawnProgram(command: string, args: string[], environment: Record<string, string>): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  return spawn(command, args, {
    // Nothing of the caller's settings, and no `.env` of the checkout, may change what is measured.
    cwd: import.meta.dirname,
    env: { PATH, HOME, TMPDIR, RATE_LIMITS: "off", LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function untilReady(child: ChildProcess, baseUrl: string): Promise<void> {
  const deadline = performance.now() + START_SECONDS * 1000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error("The program ended before it served.");
    // Ready is a server whose search index is in memory, too.
    const answer = await capture(baseUrl, "/api/articles?per_page=1").catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(5);
  }
  throw new Error(`The program served nothing after ${START_SECONDS} s.`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_SECONDS * 1000);
  await ended;
  clearTimeout(late);
}

async function end(child: ChildProcess, name: string): Promise<void> {
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code ?? "a signal"}: see above.`);
}
