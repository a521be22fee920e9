import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The start of a process identifies it together with its number. */
export function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") return ps(pid, "lstart=");
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended.
    return afterName[0] === "Z" ? undefined : afterName[19];
  } catch {
    return undefined;
  }
}

export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Every PostgreSQL process has its cluster as working directory. Without /proc only the postmaster is found. */
export function postgresProcesses(cluster: string, postmaster?: number): number[] {
  if (process.platform === "linux")
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && worksIn(pid, cluster));
  if (postmaster === undefined) return [];
  return (ps(postmaster, "args=") ?? "").includes(cluster) ? [postmaster] : [];
}

export async function waitUntil(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
    return basename(program) === "postgres" && readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}

export const pidFilePath = (cluster: string): string => join(cluster, "postmaster.pid");

/** While PostgreSQL starts the file may be incomplete; `ready` is false then. */
export function readPidFile(cluster: string) {
  let text: string;
  try {
    text = readFileSync(pidFilePath(cluster), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const [pid, , , port, socketDir = "", , , status = ""] = text.split("\n");
  return { pid: Number(pid), port: Number(port), socketDir, ready: status.trim() === "ready" };
}
