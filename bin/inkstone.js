#!/usr/bin/env node
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const build = new URL("../scripts/build-if-stale.mjs", import.meta.url);

/** A server keeps less memory with them. V8 and malloc read them only when a process starts. */
const FLAG = "--max-semi-space-size=4";
const MALLOC = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "4000000" };

const { argv, env, execArgv, execPath, execve, platform } = process;
const isLimited = [...execArgv, env.NODE_OPTIONS ?? ""].some((each) =>
  each.includes("--max-semi-space-size"),
);
/** Of a server with several processes. */
const isWorker = process.send !== undefined;
// The process replaces itself, so signals and exit codes stay its own. Node has it from 22.15 on, but not on Windows.
if (argv[2] === "serve" && !isWorker && !isLimited) {
  const limited = { ...MALLOC, ...env };
  if (execve && platform !== "win32")
    execve.call(process, execPath, [execPath, ...execArgv, FLAG, ...argv.slice(1)], limited);
  // Workers get them at least.
  execArgv.push(FLAG);
  Object.assign(env, limited);
}

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`inkstone: This is Node.js ${process.versions.node}, and Inkstone needs 20.19 or newer.`);
  process.exitCode = 1;
} else {
  // Only a clone has it: the package is published built. A worker takes what is there.
  if (existsSync(build) && !isWorker) await import(build.href);
  if (!process.exitCode) await import("../dist/cli.js");
}
