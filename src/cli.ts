import { run } from "./cli/run.ts";
import { yieldToOthers } from "./cli/yield-to-others.ts";
import { nameSources } from "./stack-traces.ts";

nameSources();

// The reader stopped early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const argv = process.argv.slice(2);
// A backup is made while the server works. Here, because it holds for all that the process does later.
if (argv[0] === "backup") yieldToOthers();
process.exitCode = await run(argv);
// A hanging connection must not keep the program.
setTimeout(() => process.exit(), 2_000).unref();
