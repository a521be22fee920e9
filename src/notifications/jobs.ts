import type { JobContext } from "../context.ts";
import type { Jobs } from "../jobs/runner.ts";
import { fanOut, NEXT_DUE } from "./notifications.ts";

export const notificationJobs = ({ db, now }: JobContext): Jobs => ({
  repeated: {
    notify: {
      pauseMs: 1_000,
      idle: { due: NEXT_DUE, clock: "database", leastMs: 5_000 },
      work: (signal) => fanOut(db, now(), signal),
    },
  },
});
