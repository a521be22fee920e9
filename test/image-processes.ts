import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The numbers of the image processes that this process has. */
export function imageProcesses(): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isOurs(pid)).map(Number);
}

/** The first that isn't one of those known, as soon as it is there. */
export async function nextImageProcess(known: readonly number[]): Promise<number> {
  for (;;) {
    const pid = imageProcesses().find((each) => !known.includes(each));
    if (pid !== undefined) return pid;
    await sleep(1);
  }
}

function isOurs(pid: string): boolean {
  try {
    const isChild = readFileSync(`/proc/${pid}/status`, "utf8").includes(`PPid:\t${process.pid}\n`);
    return isChild && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("image-worker");
  } catch {
    return false;
  }
}
