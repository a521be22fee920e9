import type { JobsOf } from "../../context.ts";
import * as uploads from "../uploads/files.ts";
import * as cards from "./cards.ts";

export const fileJobs: JobsOf = ({ db, files, now }) => ({
  repeated: { "sweep-store": { pauseMs: 3_600_000, work: () => files.sweep(now()) } },
  timed: {
    "sweep-files": {
      at: "41 3 * * *",
      work: async () => [await uploads.sweep(db, files, now()), await cards.sweep(files, now())],
    },
  },
});
