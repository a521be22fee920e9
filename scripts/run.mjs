// Builds the program when that is due and runs it in this process, so that a signal sent to npm's
// script reaches the program and not a shell in between.
await import("./build-if-stale.mjs");
if (!process.exitCode) await import("../bin/inkstone.js");
