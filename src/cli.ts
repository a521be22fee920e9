import { run } from "./cli/run.ts";

process.exitCode = await run(process.argv.slice(2));
// Nothing is left to do; a connection that doesn't end must not keep the program.
setTimeout(() => process.exit(), 2_000).unref();
