import { memoryOfTree } from "./processes.ts";

const EVERY_MS = 250;

/**
 * Watches the memory of a process with its PostgreSQL; the result ends the watch and gives the most that was seen, in
 * MiB.
 */
export function watchMemory(pid: number): () => number {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, memoryNow(pid))), EVERY_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** 0 when the process has ended, and where there is no /proc. */
function memoryNow(pid: number): number {
  try {
    return memoryOfTree(pid);
  } catch {
    return 0;
  }
}
