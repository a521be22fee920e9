import type { JobsOf } from "../../context.ts";
import * as counting from "./counting.ts";
import * as rollUp from "./roll-up.ts";

export const analyticsJobs: JobsOf = ({ db, now }) => ({
  repeated: {
    "add-up-views": { pauseMs: 1_000, idle: 3_600_000, work: (signal) => rollUp.addUpChanges(db, signal) },
    "forget-visitors": { pauseMs: 60_000, work: () => counting.forgetVisitors(db, now()) },
  },
  timed: {
    "forget-viewers": { at: "37 3 * * *", work: () => counting.forgetViewers(db, now()) },
    "purge-analytics": { at: "39 3 * * *", work: () => rollUp.purge(db) },
  },
});
