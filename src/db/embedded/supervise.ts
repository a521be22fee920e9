import { rmSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "./account.ts";
import { socketIn } from "./data-dirs.ts";
import { type Launch, startPostmaster } from "./postmaster.ts";
import { pidFilePath, postgresProcesses, readPidFile, signal, waitUntil } from "./processes.ts";

const FIRST_PAUSE_MILLISECONDS = 200;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** PostgreSQL that runs this long has recovered: the next failure counts as the first. */
const SETTLED_MILLISECONDS = 10_000;

/** Restarts PostgreSQL whenever it ends before `stop`: at once the first time, then after growing pauses. */
export async function supervise(launch: Launch): Promise<{ stop(): Promise<void> }> {
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

/**
 * Ends the processes of an earlier run, and removes their lock files, whose number may belong to another program by
 * now. The caller must hold the lock.
 */
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
