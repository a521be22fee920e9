import type { Plugin } from "vite";
import type { TestModule } from "vitest/node";

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
