import type { JobsOf } from "../../context.ts";
import { createConverter } from "./converter.ts";
import { refreshDue } from "./imports.ts";

export const feedImportJobs: JobsOf = ({ db, services, now }) => ({
  repeated: {
    "import-feeds": {
      pauseMs: 5_000,
      idle: 15_000,
      isOutbound: true,
      async work(signal) {
        const converter = createConverter();
        const importing = { db, outside: services, renderer: services.renderPool, converter, now };
        try {
          await refreshDue(importing, signal);
        } finally {
          await converter.close();
        }
      },
    },
  },
});
