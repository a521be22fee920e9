import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets other programs of this computer, such as the server, have the processors first. On Linux each thread has a
 * priority of its own.
 */
export function yieldToOthers(): void {
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task").map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
}
