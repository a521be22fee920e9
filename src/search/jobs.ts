import type { JobsOf } from "../context.ts";
import { purgeChanges } from "./index/memory.ts";
import * as vocabulary from "./vocabulary.ts";

export const searchJobs: JobsOf = ({ db }) => ({
  repeated: {
    // The pause is long: many changes together cost less, because they share most words.
    "add-up-words": { pauseMs: 5_000, idle: 3_600_000, work: () => vocabulary.addUpChanges(db) },
    "purge-changes": { pauseMs: 60_000, work: () => purgeChanges(db) },
  },
});
