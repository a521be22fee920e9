import { execFileSync } from "node:child_process";

/** Memory of one process that is in use now, in MiB; NaN when it has ended. */
function memoryOf(pid: number): number {
  try {
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
  } catch {
    return NaN;
  }
}

/** Watches the memory of a process; the result ends the watch and gives the most that was seen. */
export function watchMemory(pid: number): () => number {
  let most = 0;
  const timer = setInterval(() => {
    const now = memoryOf(pid);
    if (now > most) most = now;
  }, 250);
  return () => {
    clearInterval(timer);
    return most;
  };
}
