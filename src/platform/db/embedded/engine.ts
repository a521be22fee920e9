import { rmSync } from "node:fs";
import { connect } from "node:net";
import { join as joinPath } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "./account.ts";
import { findBinaries, unsupported } from "./binaries.ts";
import { prepareCluster } from "./data-files.ts";
import { findLocation, type Location, makeSocketDir, PORT, requireCluster, socketIn } from "./data-dirs.ts";
import type { EngineConnection } from "./database.ts";
import { asOwner, connectionVia, dismissGuests, join, prepareDatabase } from "./database.ts";
import { type HolderKind, type Lock, takeLock } from "./lock.ts";
import { type Launch, openLogFile, type Settings, startPostmaster } from "./postmaster.ts";
import { pidFilePath, postgresProcesses, readPidFile, signal, waitUntil } from "./processes.ts";

export interface EngineOptions {
  dataDir: string;
  /** A server owns the engine; commands share it. */
  holder: HolderKind;
  creates?: boolean;
  log: (line: string) => void;
  disk?: DiskGuard | undefined;
  patienceMs?: number;
  settings?: Settings;
}

/** Keeps the disk from filling up; `home` is the directory that holds the cluster. */
export interface DiskGuard {
  makeRoom(home: string): Promise<void>;
  watch(home: string): Promise<() => Promise<void>>;
}

/** How long each kind of process waits for each kind of holder. */
const PATIENCE_MILLISECONDS = {
  // A server that was killed just now may need a moment to be gone.
  server: { server: 1_000, command: 10_000 },
  // Another's PostgreSQL may still be recovering from a crash.
  command: { server: 60_000, command: 60_000 },
} as const;
const POLL_MILLISECONDS = 50;
const TELL_MILLISECONDS = 500;

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Returns how to connect and stop, and whether this process owns the engine, and so ends it. */
export async function openEngine(options: EngineOptions) {
  if (process.platform === "win32") throw unsupported("Windows is not supported");
  try {
    return await startOrJoin(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const { message } = error as Error;
    throw new EngineError(
      `The embedded PostgreSQL cannot be set up (${message}): fix that, set another DATA_DIR, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

async function startOrJoin(options: EngineOptions) {
  if (options.creates === false) requireCluster(options.dataDir);
  const place = findLocation(options.dataDir, options.log);
  // Room is made before the lock is taken, which is a file too.
  await options.disk?.makeRoom(place.home);
  const startedAt = performance.now();
  for (let told = false; ; await sleep(POLL_MILLISECONDS)) {
    const taken = takeLock(place.home, options.holder);
    if ("release" in taken) return own(options, place, taken);
    const guest = options.holder === "command" ? await join(place.cluster) : undefined;
    if (guest) return { ...rolesOf(guest.connection), owned: false, stop: once(guest.leave) };
    const waited = performance.now() - startedAt;
    const other = `the inkstone ${taken.kind} with pid ${taken.pid}`;
    if (waited > (options.patienceMs ?? PATIENCE_MILLISECONDS[options.holder][taken.kind]))
      throw new EngineError(
        `${place.dataDir} is in use by ${other}: stop it, or give this one another DATA_DIR`,
      );
    if (told || waited < TELL_MILLISECONDS) continue;
    options.log(`Waiting for ${other}, which uses ${place.dataDir}.`);
    told = true;
  }
}

async function own({ holder, log, disk, settings = {} }: EngineOptions, place: Location, lock: Lock) {
  const { cluster, account } = place;
  const closing: (() => void | Promise<void>)[] = [() => lock.release()];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  try {
    const binaries = findBinaries({ ...place, log });
    prepareCluster(place, binaries);
    if (disk) closing.push(await disk.watch(place.home));
    const logFile = openLogFile(joinPath(place.home, "postgres.log"), account);
    closing.push(() => logFile.close());
    const socketDir = makeSocketDir(place);
    const launch = { binaries, cluster, socketDir, account, logFile, log, settings };
    const supervised = await supervise(launch);
    closing.push(() => supervised.stop());
    const connection = connectionVia(socketDir, PORT);
    await prepareDatabase(connection);
    if (holder === "command") closing.push(() => dismissGuests(connection, log));
    return { ...rolesOf(connection), owned: true, stop: once(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

const rolesOf = (connection: EngineConnection) => ({ connection, owner: asOwner(connection) });

function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}

const FIRST_PAUSE_MILLISECONDS = 200;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** PostgreSQL that runs this long has recovered: the next failure counts as the first. */
const SETTLED_MILLISECONDS = 10_000;

/** Restarts PostgreSQL whenever it ends before `stop`: at once the first time, then after growing pauses. */
async function supervise(launch: Launch): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  await clearLeftover(launch);
  let current = await startPostmaster(launch);
  const done = keepRunning();
  return {
    async stop() {
      stopping.abort();
      await current.stop();
      await done;
    },
  };

  async function keepRunning(): Promise<void> {
    let pause = 0;
    for (let startedAt = performance.now(); ; startedAt = performance.now()) {
      await current.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > SETTLED_MILLISECONDS) pause = 0;
      launch.log("PostgreSQL has ended unexpectedly: it is being started again.");
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      pause = Math.min(2 * pause || FIRST_PAUSE_MILLISECONDS, LONGEST_PAUSE_MILLISECONDS);
      if (stopping.signal.aborted) return;
      try {
        await clearLeftover(launch);
        current = await startPostmaster(launch);
      } catch (error) {
        launch.log((error as Error).message);
      }
      if (stopping.signal.aborted) return current.stop();
    }
  }
}

/** Shorter together than the five seconds of a start. Only the postmaster shuts down at the first signal. */
const PATIENCE: [NodeJS.Signals, milliseconds: number][] = [
  ["SIGINT", 1_500],
  ["SIGQUIT", 1_000],
  ["SIGKILL", 1_000],
];

/** Ends the processes of an earlier run, and removes their lock files. The caller holds the lock. */
async function clearLeftover({ cluster, socketDir }: Launch): Promise<void> {
  const pidFile = readPidFile(cluster);
  const processes = () => postgresProcesses(cluster, pidFile?.pid);
  for (const [name, milliseconds] of PATIENCE) {
    for (const pid of processes()) signal(pid, name);
    if (await waitUntil(() => processes().length === 0, milliseconds)) break;
  }
  const pids = processes();
  if (pids.length > 0)
    throw new EngineError(
      `PostgreSQL from an earlier run still works on ${cluster} as process ${pids.join(", ")} and does not end: end it with kill -9, or restart the computer.`,
    );
  // A socket that answers without a process here belongs to another container with the same files.
  if (pidFile?.socketDir && (await answers(socketIn(pidFile.socketDir))))
    throw new EngineError(
      `${cluster} is in use from another container: stop that one, or give this one another DATA_DIR.`,
    );
  for (const file of [pidFilePath(cluster), socketIn(socketDir), `${socketIn(socketDir)}.lock`])
    rmSync(file, { force: true });
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.on("error", () => resolve(false));
    connection.on("connect", () => {
      connection.destroy();
      resolve(true);
    });
  });
}
