import type { JobsOf } from "../../context.ts";
import { createConverter } from "./converter.ts";
import { refreshDue } from "./imports.ts";

export const feedImportJobs: JobsOf = ({ db, services, now }) => {
  const { renderPool: renderer } = services;
  const importing = { db, outside: services, renderer, converter: createConverter(), now };
  return {
    repeated: {
      "import-feeds": {
        pauseMs: 5_000,
        idle: 15_000,
        isOutbound: true,
        work: (signal) => refreshDue(importing, signal),
      },
    },
  };
};
