import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, fchownSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, EngineError, isRoot, runAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { PORT } from "./data-dirs.ts";
import { readPidFile, signal } from "./processes.ts";

export const WATCHDOG = "inkstone-watchdog";

/** Waits on descriptor 3. When it closes without a message, Node is gone, and PostgreSQL is shut down. */
const GUARD = `guard() {
  trap "" HUP INT TERM
  read -r word <&3
  [ -n "$word" ] && exit 0
  kill -INT "$1"
  n=0
  while [ $n -lt 10 ] && kill -0 "$1"; do sleep 0.1; n=$((n + 1)); done
  kill -QUIT "$1"
}`;

/** Becomes PostgreSQL after forking the watchdog, whose end must not look like the crash of a backend. */
export const LAUNCH = `${GUARD}
( guard $$ </dev/null >/dev/null 2>&1 & )
exec "$@" 3>&-`;

const ANOTHER = `${GUARD}
guard "$1"`;

interface Guarded {
  pid: number;
  cluster: string;
  account: Account;
  log: (line: string) => void;
}

const PAUSE_MILLISECONDS = 200;
const PAUSE_AFTER_FAILURE_MILLISECONDS = 2_000;

/** Starts another watchdog whenever one ends before `release`: its end closes its socket. */
function keepGuarded(guarded: Guarded, first: Duplex): { release: () => void } {
  let isReleased = false;
  let current: Duplex;
  const follow = (socket: Duplex) => {
    current = socket;
    (socket as Duplex & { unref(): void }).unref();
    socket.resume().on("error", () => {});
    socket.once("close", () => {
      if (isReleased) return;
      guarded.log("The watchdog of PostgreSQL has ended: another one is started.");
      void replace(PAUSE_MILLISECONDS);
    });
  };
  const replace = async (pause: number) => {
    await sleep(pause, undefined, { ref: false });
    if (isReleased) return;
    try {
      follow(await startAnother(guarded));
      // Released while it started.
      if (isReleased) release();
    } catch (error) {
      guarded.log(`The watchdog of PostgreSQL can't be started, and is tried again: ${String(error)}`);
      void replace(PAUSE_AFTER_FAILURE_MILLISECONDS);
    }
  };
  const release = () => {
    isReleased = true;
    current.end("release\n");
  };
  follow(first);
  return { release };
}

async function startAnother({ pid, cluster, account }: Guarded): Promise<Duplex> {
  const child = spawn("/bin/sh", ["-c", ANOTHER, WATCHDOG, String(pid), cluster], {
    ...runAs(account),
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  // Node leaves it unset if no file descriptor is free.
  const socket = (child.stdio as typeof child.stdio | undefined)?.[3] as Duplex | undefined;
  child.unref();
  try {
    await once(child, "spawn");
  } catch (error) {
    socket?.destroy();
    throw error;
  }
  child.on("error", () => {});
  return socket as Duplex;
}

export interface Launch {
  binaries: Binaries;
  cluster: string;
  socketDir: string;
  account: Account;
  logFile: ReturnType<typeof openLogFile>;
  log: (line: string) => void;
  settings: Settings;
}

/** fsync, full_page_writes and synchronous_commit keep their default: on. */
const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "60",
  // The operating system caches the rest.
  shared_buffers: "48MB",
  wal_buffers: "1MB",
  io_method: "sync",
  work_mem: "8MB",
  maintenance_work_mem: "128MB",
  // Short queries gain nothing from these.
  jit: "off",
  max_parallel_workers_per_gather: "0",
  random_page_cost: "1.1",
  // Saves a process.
  max_logical_replication_workers: "0",
  // Bounds the recovery after a crash.
  max_wal_size: "512MB",
  // A query of a dead client ends within a second.
  client_connection_check_interval: "1s",
  timezone: "UTC",
  log_timezone: "UTC",
  // Errors of statements go to their client only: their texts may be private.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_autovacuum_min_duration: "-1",
  log_lock_waits: "off",
};

export type Settings = Record<string, string>;

/** A longer stop becomes an immediate shutdown, which costs nothing but time at the next start. */
const STOP_MILLISECONDS = 20_000;
const SLOW_START_MILLISECONDS = 5_000;

export async function startPostmaster(launch: Launch) {
  const { binaries, cluster, socketDir, account, logFile, settings } = launch;
  const program = join(binaries.dir, "bin/postgres");
  // PostgreSQL reads a list of directories here: quotes protect commas and spaces in the name.
  const quoted = `"${socketDir.replaceAll('"', '""')}"`;
  const given = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const args = [program, "-D", cluster, "-p", String(PORT), "-k", quoted, ...given];
  logFile.mark();
  const child = spawn("/bin/sh", ["-c", LAUNCH, WATCHDOG, ...args], {
    ...runAs(account),
    stdio: ["ignore", logFile.handle, logFile.handle, "pipe"],
    detached: true,
  });
  child.unref();
  const ending = endingOf(child);
  if (child.pid === undefined) throw cannotStart(cluster, await ending.how);
  const pid = child.pid;
  const guard = keepGuarded({ pid, cluster, account, log: launch.log }, child.stdio[3] as Duplex);
  const exited = ending.how.then(() => guard.release());
  await waitUntilReady(launch, pid, ending.soFar);
  return {
    exited,
    async stop() {
      if (ending.soFar() !== undefined) return;
      child.ref();
      signal(pid, "SIGINT");
      const patience = setTimeout(signal, STOP_MILLISECONDS, pid, "SIGQUIT");
      await exited;
      clearTimeout(patience);
    },
  };
}

function endingOf(child: ChildProcess) {
  let known: string | undefined;
  const how = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve((known = error.message)));
    child.once("exit", (code, signalName) => resolve((known = signalName ?? `exit code ${code}`)));
  });
  return { how, soFar: () => known };
}

async function waitUntilReady(launch: Launch, pid: number, ending: () => string | undefined): Promise<void> {
  const { cluster, logFile, log } = launch;
  const tell = () => log("PostgreSQL is still starting; after a crash this can take a while.");
  const slow = setTimeout(tell, SLOW_START_MILLISECONDS);
  try {
    for (;;) {
      const ended = ending();
      if (ended !== undefined) throw cannotStart(cluster, summary(logFile.news()) || ended);
      const found = readPidFile(cluster);
      if (found?.pid === pid && found.ready) return;
      await sleep(5);
    }
  } finally {
    clearTimeout(slow);
  }
}

const cannotStart = (cluster: string, reason: string): EngineError =>
  new EngineError(`PostgreSQL could not start on ${cluster} (${reason}): fix that and start again.`);

/** The last complaint, without its time stamp. */
function summary(log: string): string {
  const complaints = log.split("\n").filter((line) => /(FATAL|PANIC|error while loading)/.test(line));
  return (complaints.at(-1) ?? log.trim().split("\n").at(-1) ?? "").replace(/^.*?(FATAL|PANIC):\s*/, "");
}

const MAX_LOG_BYTES = 1024 * 1024;
const LOG_CHECK_MILLISECONDS = 60_000;

/** PostgreSQL's log, emptied when it exceeds a megabyte. */
export function openLogFile(path: string, account: Account) {
  // Root must not follow a link that the account made.
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const handle = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (isRoot() && fstatSync(handle).nlink === 1) fchownSync(handle, account.uid, account.gid);
  let start = 0;
  const trim = () => {
    if (fstatSync(handle).size <= MAX_LOG_BYTES) return;
    ftruncateSync(handle);
    start = 0;
  };
  trim();
  const timer = setInterval(trim, LOG_CHECK_MILLISECONDS).unref();
  return {
    handle,
    mark() {
      start = fstatSync(handle).size;
    },
    news() {
      const text = Buffer.alloc(Math.max(0, fstatSync(handle).size - start));
      readSync(handle, text, 0, text.length, start);
      return text.toString("utf8");
    },
    close() {
      clearInterval(timer);
      closeSync(handle);
    },
  };
}
