#!/usr/bin/env node
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const build = new URL("../scripts/build-if-stale.mjs", import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`inkstone: This is Node.js ${process.versions.node}, and Inkstone needs 20.19 or newer.`);
  process.exitCode = 1;
} else {
  // Only a clone has it: the package is published built.
  if (existsSync(build)) await import(build.href);
  if (!process.exitCode) await import("../dist/cli.js");
}
