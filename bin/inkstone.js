#!/usr/bin/env node
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const program = new URL("../dist/cli.js", import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`inkstone: This is Node.js ${process.versions.node}, and Inkstone needs 20.19 or newer.`);
  process.exitCode = 1;
} else if (existsSync(program)) {
  await import(program.href);
} else {
  console.error("inkstone: The program isn't built yet: run `npm run build` first.");
  process.exitCode = 1;
}
