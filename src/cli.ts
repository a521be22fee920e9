import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { run } from "./operate/cli/run.ts";
import { nameSources } from "./platform/stack-traces.ts";

nameSources();

// The reader stopped early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const argv = process.argv.slice(2);
prepareProcess(argv);
process.exitCode = await run(argv);
// A hanging connection must not keep the program.
setTimeout(() => process.exit(), 2_000).unref();

function prepareProcess([command]: readonly string[]): void {
  if (command === "backup") yieldToOthers();
  // Batches are short-lived: V8 would collect them when the heap has grown to several times its use.
  if (command === "import") setFlagsFromString("--heap-growing-percent=20");
}

/** Lets other programs have the processors first. On Linux each thread has a priority of its own. */
function yieldToOthers(): void {
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task").map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
}
