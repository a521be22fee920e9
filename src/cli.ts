import { run } from "./cli/run.ts";
import { nameSources } from "./stack-traces.ts";

nameSources();

// Whoever reads has read enough, as `head` does: that is no failure, and nothing more is to be said.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await run(process.argv.slice(2));
// Nothing is left to do; a connection that doesn't end must not keep the program.
setTimeout(() => process.exit(), 2_000).unref();
