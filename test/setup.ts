import { spawnSync } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { TestModule, TestProject } from "vitest/node";

/** How long tests wait for what comes soon: long enough for a slow machine with other work. */
export const PATIENCE_MS = 120_000;

/** A folder in memory where the computer has enough of it: a database is copied ten times faster there than on a disk. */
export function fastFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 ** 31 ? memory : tmpdir();
}

/**
 * Whether the tests run in their long form, with every case of the exhaustive ones, and with those that need standbys, a
 * pooler, a load balancer or two programs.
 */
export const IS_LONG = process.env["CI_LONG"] === "1";

/** How many cases a test goes through: all of them in the long form, otherwise a few. */
export const cases = (all: number, few: number): number => (IS_LONG ? all : few);

/** All elements in the long form, otherwise about `few` of them, spread evenly; others for every `turn`. */
export function sample<T>(all: readonly T[], few: number, turn = 0): T[] {
  const step = Math.ceil(all.length / cases(all.length, few));
  return all.filter((_, index) => index % step === turn % step);
}

const COUNT = 10;

/** Prints which files took longest, beside every reporter, also one that the command line names. */
export const slowestFiles: Plugin = {
  name: "slowest-files",
  configureVitest({ vitest }) {
    vitest.config.reporters.push({ onTestRunEnd: (modules) => vitest.logger.log(table(modules)) });
  },
};

function table(modules: readonly TestModule[]): string {
  const lines = modules
    .map((module) => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1_000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, COUNT)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}`);
  return ["\nSlowest files:", ...lines].join("\n");
}

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
