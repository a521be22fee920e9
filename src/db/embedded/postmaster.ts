import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EngineError } from "./engine-error.ts";
import type { LogFile } from "./log-file.ts";
import { readPidFile } from "./pid-file.ts";
import { signal } from "./processes.ts";
import { runAs } from "./run-as.ts";
import { settingArguments } from "./settings.ts";
import { PORT } from "./socket-dir.ts";
import { LAUNCH, RELEASE, WATCH, WATCHDOG } from "./watchdog.ts";

/** A running PostgreSQL that ends when this process does. */
export interface Postmaster {
  pid: number;
  /** Resolves when PostgreSQL has ended, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

export interface Launch {
  binaries: Binaries;
  cluster: string;
  socketDir: string;
  account: Account;
  logFile: LogFile;
  log: (line: string) => void;
}

/** How long a clean shutdown may take before it becomes an immediate one, which loses nothing but the next start's time. */
const STOP_MILLISECONDS = 20_000;
const SLOW_START_MILLISECONDS = 5_000;
/** A pause, so that a computer that cannot start processes is not kept busy with trying. */
const NEW_WATCHDOG_MILLISECONDS = 50;

/** Starts PostgreSQL on a cluster and waits until it takes connections. */
export async function startPostmaster(launch: Launch): Promise<Postmaster> {
  const { binaries, cluster, socketDir, account, logFile } = launch;
  const program = join(binaries.dir, "bin/postgres");
  // PostgreSQL reads a list of directories here: quotes keep a comma or a space in the name from dividing it.
  const quoted = `"${socketDir.replaceAll('"', '""')}"`;
  const args = [program, "-D", cluster, "-p", String(PORT), "-k", quoted, ...settingArguments()];
  logFile.mark();
  const child = spawn("/bin/sh", ["-c", LAUNCH, WATCHDOG, ...args], {
    ...runAs(account),
    stdio: ["ignore", logFile.handle, logFile.handle, "pipe"],
    detached: true,
  });
  child.unref();
  const exited = endOf(child);
  const pid = child.pid;
  if (pid === undefined) throw cannotStart(cluster, await exited);
  let running = true;
  const whenExited = exited.then(() => {
    running = false;
  });
  const leash = keepWatched(child, launch, () => running);
  void whenExited.then(() => leash.release());
  await waitUntilReady(launch, pid, exited);
  return {
    pid,
    exited: whenExited,
    async stop() {
      child.ref();
      if (running) signal(pid, "SIGINT");
      const patience = setTimeout(() => running && signal(pid, "SIGQUIT"), STOP_MILLISECONDS);
      await whenExited;
      clearTimeout(patience);
    },
  };
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signalName] = (await once(child, "exit")) as [number | null, string | null];
    return signalName ?? `exit code ${code}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Holds the line to the watchdog; if the watchdog is gone before PostgreSQL, there is soon a new one. */
function keepWatched(child: ChildProcess, { account, log }: Launch, isRunning: () => boolean) {
  let line = hold(child);
  return {
    release() {
      line.end(RELEASE);
    },
  };

  function hold(watched: ChildProcess): Duplex {
    const held = watched.stdio[3] as Duplex & { unref(): void };
    held.unref();
    held.resume();
    held.on("error", () => {});
    held.on("close", () => setTimeout(replace, NEW_WATCHDOG_MILLISECONDS).unref());
    return held;
  }

  function replace(): void {
    if (!isRunning()) return;
    log("PostgreSQL's watchdog was gone: there is a new one.");
    const stdio = ["ignore", "ignore", "ignore", "pipe"] as const;
    const args = ["-c", WATCH, WATCHDOG, String(child.pid)];
    const watchdog = spawn("/bin/sh", args, { ...runAs(account), stdio: [...stdio], detached: true });
    watchdog.on("error", () => {});
    watchdog.unref();
    line = hold(watchdog);
  }
}

async function waitUntilReady(
  { cluster, logFile, log }: Launch,
  pid: number,
  exited: Promise<string>,
): Promise<void> {
  let end: string | undefined;
  void exited.then((how) => {
    end = how;
  });
  const slow = setTimeout(
    () => log("PostgreSQL is still starting; after a crash this can take a while."),
    SLOW_START_MILLISECONDS,
  );
  try {
    for (;;) {
      const found = readPidFile(cluster);
      if (found?.pid === pid && found.ready) return;
      if (end !== undefined) throw cannotStart(cluster, summary(logFile.news()) || end);
      await sleep(5);
    }
  } finally {
    clearTimeout(slow);
  }
}

function cannotStart(cluster: string, reason: string): EngineError {
  return new EngineError(`PostgreSQL could not start on ${cluster} (${reason}): mend that and start again.`);
}

/** The last complaint in a log, without its time stamp. */
function summary(log: string): string {
  const complaints = log.split("\n").filter((line) => /(FATAL|PANIC|error while loading)/.test(line));
  return (complaints.at(-1) ?? log.trim().split("\n").at(-1) ?? "").replace(/^.*?(FATAL|PANIC):\s*/, "");
}
