import type { JobsOf } from "../../context.ts";
import { fanOut, NEXT_DUE } from "./notifications.ts";

export const notificationJobs: JobsOf = ({ db, now }) => ({
  repeated: {
    notify: {
      pauseMs: 1_000,
      idle: { due: NEXT_DUE, clock: "database", leastMs: 5_000 },
      work: (signal) => fanOut(db, now(), signal),
    },
  },
});
