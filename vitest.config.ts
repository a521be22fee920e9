import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["test/build.ts", "test/database.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Every test has a database and a server of its own, so that files may share what they import.
    isolate: false,
    // Vitest would leave a processor free, but tests mostly wait for PostgreSQL and other programs.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
