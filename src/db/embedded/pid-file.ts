import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a running PostgreSQL says of itself in postmaster.pid. */
export interface PidFile {
  pid: number;
  socketDir: string;
  port: number;
  ready: boolean;
}

export function pidFilePath(cluster: string): string {
  return join(cluster, "postmaster.pid");
}

/** The file may be half written while PostgreSQL starts: what is missing is then empty and `ready` is false. */
export function readPidFile(cluster: string): PidFile | undefined {
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
