import type { JobContext } from "../context.ts";
import type { Jobs } from "../jobs/runner.ts";
import { createConverter } from "./converter.ts";
import { refreshDue } from "./imports.ts";

export const feedImportJobs = ({ db, services, now }: JobContext): Jobs => ({
  repeated: {
    "import-feeds": {
      pauseMs: 5_000,
      idle: 15_000,
      isOutbound: true,
      async work(signal) {
        const converter = createConverter();
        const importing = { db, outside: services, renderer: services.renderPool, converter, now };
        await refreshDue(importing, signal).finally(() => converter.close());
      },
    },
  },
});
