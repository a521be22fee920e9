import type { JobsOf } from "../../context.ts";
import * as counting from "./counting.ts";
import * as removal from "./removal.ts";
import * as upkeep from "./upkeep.ts";

export const articleJobs: JobsOf = ({ db, now }) => ({
  repeated: {
    "publish-due": {
      // The delay of a scheduled publication.
      pauseMs: 1_000,
      idle: { due: upkeep.NEXT_DUE, leastMs: 1_000 },
      work: () => upkeep.publishDue(db, now()),
    },
    "add-up-counts": { pauseMs: 1_000, idle: 3_600_000, work: () => counting.addUpChanges(db) },
    "index-again": { pauseMs: 5_000, idle: 3_600_000, work: (signal) => upkeep.indexAgain(db, signal) },
  },
  timed: {
    "refresh-hotness": { at: "*/5 * * * *", work: () => upkeep.refreshHotness(db, now()) },
    "purge-articles": { at: "23 3 * * *", work: () => removal.purge(db, now()) },
  },
});
