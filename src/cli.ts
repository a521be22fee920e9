import { prepareProcess } from "./cli/prepare-process.ts";
import { run } from "./cli/run.ts";
import { nameSources } from "./stack-traces.ts";

nameSources();

// The reader stopped early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const argv = process.argv.slice(2);
prepareProcess(argv);
process.exitCode = await run(argv);
// A hanging connection must not keep the program.
setTimeout(() => process.exit(), 2_000).unref();
