import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { capture } from "./capture.ts";
import { watchMemory } from "./memory.ts";
import { freePort } from "../../test/free-port.ts";
import packageJson from "../../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(ROOT, "bin/inkstone.js");

/** The command of `npm start`, to be run from anywhere. */
const START = packageJson.scripts.start.replace("bin/inkstone.js", PROGRAM);

const START_SECONDS = 60;
const STOP_SECONDS = 40;

/** The program, serving. */
export interface Serving {
  baseUrl: string;
  pid: number;
  /** From the start of the process until it was ready. */
  readyMilliseconds: number;
  stop(): Promise<void>;
}

/** Compiles the program where that is needed, as every script that runs it does. */
export async function build(): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, "scripts/build-if-stale.mjs")], {
    cwd: ROOT,
    stdio: "inherit",
  });
  await end(child, "The build");
}

/** Starts the program as its users do, on a free port, and waits until it is ready. */
export async function serve(dataDir: string, more: Record<string, string> = {}): Promise<Serving> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawnProgram("/bin/sh", ["-c", START], {
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: baseUrl,
    ...more,
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

/** Runs a command of the program to its end; gives the most memory it used with its PostgreSQL, in MiB. */
export async function command(dataDir: string, args: string[]): Promise<number> {
  const child = spawnProgram(process.execPath, [PROGRAM, ...args], { DATA_DIR: dataDir });
  child.stdout?.resume();
  const stopWatching = watchMemory(child.pid as number);
  let most = NaN;
  try {
    await end(child, `\`inkstone ${args.join(" ")}\``);
  } finally {
    most = stopWatching();
  }
  return most;
}

/** Seconds of processor time of a command of the program, which must need no settings. */
export function commandCpu(args: string[]): number {
  // The shell's second line tells the time of its children.
  const script = '"$0" "$@" >/dev/null && times';
  const { stdout } = spawnSync("/bin/sh", ["-c", script, process.execPath, PROGRAM, ...args], {
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
      throw new Error("The program ended before it was ready.");
    const answer = await capture(baseUrl, "/readyz").catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(5);
  }
  throw new Error(`The program was not ready after ${START_SECONDS} s.`);
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
