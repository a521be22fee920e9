import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const SCRIPT = join(import.meta.dirname, "..", "scripts", "build-if-stale.mjs");
const BUILT = join(import.meta.dirname, "..", "dist", "cli.js");
const VARIABLE = "INKSTONE_TEST_PROGRAM";

/** Vitest's global setup: compiled, the program that many tests start is there in a third of the time. */
export default function build(project: TestProject): void {
  run();
  project.onTestsRerun(async () => run());
}

function run(): void {
  const { status } = spawnSync(process.execPath, [SCRIPT], { stdio: ["ignore", "ignore", "inherit"] });
  process.env[VARIABLE] = status === 0 ? BUILT : "";
}

/** The program as it is now. Other tests do without when it can't be built. */
export function builtProgram(): string {
  const program = process.env[VARIABLE] ?? "";
  if (program === "") throw new Error("The program can't be built: see `npm run build`.");
  return program;
}
