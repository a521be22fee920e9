import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fastFolder, PATIENCE_MS, slowestFiles } from "./test/setup.ts";

export default defineConfig({
  plugins: [slowestFiles],
  resolve: {
    alias: [{ find: /^.*\/worker-entry\.ts$/, replacement: `${import.meta.dirname}/test/built-workers.ts` }],
  },
  test: {
    globalSetup: ["test/setup.ts", "test/database.ts", "test/browser.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // For all that tests write, the clusters of the embedded PostgreSQL among it.
    env: { TMPDIR: fastFolder() },
    // Every test has a database and a server of its own, so that files may share what they import.
    isolate: false,
    // Vitest would leave a processor free, but tests wait half of their time for PostgreSQL and other programs.
    maxWorkers: availableParallelism() + 1,
    // Only what hangs takes longer, also on a slow machine with other work.
    testTimeout: 300_000,
    // Those that say so wait at the same time.
    maxConcurrency: 30,
    hookTimeout: 300_000,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
