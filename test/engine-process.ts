import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { EngineConnection } from "../src/platform/db/embedded/database.ts";
import { WATCHDOG } from "../src/platform/db/embedded/postmaster.ts";
import { builtProgram } from "./setup.ts";

/** Another process that opens the engine of a data directory, as a server or a command does. */
export interface EngineProcess {
  pid: number;
  connection: EngineConnection;
  owned: boolean;
  /** The log so far. */
  log: string[];
  /** Ends it without giving it a chance to do anything. */
  kill(): Promise<void>;
  /** Lets it stop its engine and end. */
  stop(): Promise<void>;
}

interface Start {
  dataDir: string;
  holder: "server" | "command";
  /** Root may run it as another account. */
  account?: { uid: number; gid: number };
  /** Gets the lines of its log, also before it has an engine. */
  log?: string[];
  /** The checkout whose engine it opens. */
  root?: string;
}

interface Said {
  log?: string;
  failure?: { name: string; message: string };
  engine?: { connection: EngineConnection; owned: boolean };
}

const ROOT = join(import.meta.dirname, "..");

const PROGRAM = `
  const [engineFile, dataDir, holder] = process.argv.slice(1);
  const say = (said) => process.stdout.write(JSON.stringify(said) + "\\n");
  const { openEngine } = await import(engineFile);
  try {
    const log = (line) => say({ log: line });
    const engine = await openEngine({ dataDir, holder, log });
    say({ engine: { connection: engine.connection, owned: engine.owned } });
    await new Promise((resolve) => process.stdin.once("data", resolve));
    // From here on only the engine itself can keep the process alive until it has stopped.
    process.stdin.destroy();
    await engine.stop();
    process.exit(0);
  } catch ({ name, message }) {
    say({ failure: { name, message } });
  }`;

/** Opens an engine in a process of its own; if it cannot be opened this rejects with its error. */
export function openInProcess({
  dataDir,
  holder,
  account,
  log = [],
  root = ROOT,
}: Start): Promise<EngineProcess> {
  builtProgram();
  const engineFile = join(root, "dist/engine.js");
  const args = ["--input-type=module", "-e", PROGRAM, engineFile, dataDir, holder];
  const child = spawn(process.execPath, args, { ...account, cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.on("exit", () => reject(new Error("The process ended before it had an engine.")));
    createInterface(child.stdout).on("line", (line) => {
      const said = JSON.parse(line) as Said;
      if (said.log !== undefined) log.push(said.log);
      if (said.failure) reject(Object.assign(new Error(said.failure.message), { name: said.failure.name }));
      if (said.engine) resolve({ ...said.engine, log, pid: Number(child.pid), ...endings(child) });
    });
  });
}

function endings(child: ChildProcess): Pick<EngineProcess, "kill" | "stop"> {
  const end = async (how: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exit = once(child, "exit");
    how();
    const [code] = (await exit) as [number | null];
    return code;
  };
  return {
    async kill() {
      await end(() => child.kill("SIGKILL"));
    },
    async stop() {
      const code = await end(() => child.stdin?.write("stop\n"));
      if (code !== 0)
        throw new Error(`The process did not stop its engine: it ended with exit code ${code}.`);
    },
  };
}

/** A data directory that does not exist yet, where PostgreSQL can live even if the tests run as root. */
export function newDataDir(): string {
  return join(tmpdir(), `inkstone-test-${randomUUID().slice(0, 8)}`);
}

/** The numbers of the watchdogs of a cluster. */
export function watchdogsOf(cluster: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      const [, , , name, ...args] = commandOf(pid);
      return name === WATCHDOG && args.includes(cluster);
    });
}

function commandOf(pid: number): string[] {
  try {
    return Number.isInteger(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") : [];
  } catch {
    return [];
  }
}
