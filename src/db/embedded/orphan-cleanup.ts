import { rmSync } from "node:fs";
import { connect } from "node:net";
import { EngineError } from "./account.ts";
import { socketIn } from "./data-dirs.ts";
import { type PidFile, pidFilePath, postgresProcesses, readPidFile, signal, waitUntil } from "./processes.ts";

/** Together less than the five seconds that a start may take. Only the postmaster shuts down at the first. */
const PATIENCE: [NodeJS.Signals, milliseconds: number][] = [
  ["SIGINT", 1_500],
  ["SIGQUIT", 1_000],
  ["SIGKILL", 1_000],
];

/**
 * Ends the processes of an earlier run, and removes their lock files, whose number may belong to another program by
 * now. The caller must hold the lock.
 */
export async function clearLeftover(cluster: string, socketDir: string): Promise<void> {
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
  await refuseElsewhere(cluster, pidFile);
  for (const file of [pidFilePath(cluster), socketIn(socketDir), `${socketIn(socketDir)}.lock`])
    rmSync(file, { force: true });
}

/** A socket that answers without a process here belongs to another container with the same files. */
async function refuseElsewhere(cluster: string, pidFile: PidFile | undefined): Promise<void> {
  if (!pidFile?.socketDir || !(await answers(socketIn(pidFile.socketDir)))) return;
  throw new EngineError(
    `${cluster} is in use from another container: stop that one, or give this one another DATA_DIR.`,
  );
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.on("connect", () => resolve(true)).on("error", () => resolve(false));
    connection.on("connect", () => connection.destroy());
  });
}
