import type { JobContext } from "../context.ts";
import type { Jobs } from "../jobs/runner.ts";
import * as uploads from "../uploads/files.ts";
import * as cards from "./cards.ts";

export const fileJobs = ({ db, files, now }: JobContext): Jobs => ({
  repeated: { "sweep-store": { pauseMs: 3_600_000, work: () => files.sweep(now()) } },
  timed: {
    "sweep-files": {
      at: "41 3 * * *",
      work: async () => [await uploads.sweep(db, files, now()), await cards.sweep(files, now())],
    },
  },
});
