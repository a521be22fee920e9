import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const SCRIPT = join(import.meta.dirname, "..", "scripts", "build-if-stale.mjs");

/** Builds the program that tests start: compiled it is there in a third of the time, and there are many starts. */
export default function build(project: TestProject): void {
  run();
  project.onTestsRerun(async () => run());
}

function run(): void {
  const { status } = spawnSync(process.execPath, [SCRIPT], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("The program can't be built.");
}
