import {
  exists,
  postgresProcesses,
  readPidFile,
  waitUntil,
} from "../../src/platform/db/embedded/processes.ts";
import { watchdogsOf } from "../../test/engine-process.ts";
import { clusterOf, ownerOf, type Site } from "./site.ts";

/** The killed processes: `all` at once; `all but postgres` leaves an orphan to the next start. */
export const KINDS = ["node", "postmaster", "all", "all but postgres"] as const;
export type Kind = (typeof KINDS)[number];

const GONE_MILLISECONDS = 2_000;

/** Kills without warning. */
export function kill(site: Site, kind: Kind): void {
  const cluster = clusterOf(site);
  const postmaster = Number(readPidFile(cluster)?.pid);
  const watchdogs = () => watchdogsOf(cluster);
  const targets: Record<Kind, () => number[]> = {
    node: () => [ownerOf(site)],
    postmaster: () => [postmaster],
    all: () => [...watchdogs(), ownerOf(site), postmaster],
    "all but postgres": () => [...watchdogs(), ownerOf(site)],
  };
  const pids = targets[kind]().filter((pid) => pid > 0 && exists(pid));
  if (pids.length === 0) throw new Error(`found no ${kind} to kill`);
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

/** Whether the site's PostgreSQL takes connections. */
export function isRunning(site: Site): boolean {
  const pidFile = readPidFile(clusterOf(site));
  return pidFile?.ready === true && postgresProcesses(clusterOf(site)).includes(pidFile.pid);
}

/** Whether the owner of the engine lives on after a kill. */
export function isSurvivedBy(kind: Kind): boolean {
  return kind === "postmaster";
}

/** Fails unless no PostgreSQL of the site runs two seconds after its owner was killed. */
export async function expectGone(site: Site): Promise<number> {
  const startedAt = performance.now();
  const cluster = clusterOf(site);
  const gone = await waitUntil(() => postgresProcesses(cluster).length === 0, GONE_MILLISECONDS);
  if (!gone) throw new Error(`PostgreSQL still runs ${GONE_MILLISECONDS} ms after its owner was killed`);
  return performance.now() - startedAt;
}
