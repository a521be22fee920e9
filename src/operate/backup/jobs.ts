import type { JobContext } from "../../context.ts";
import { unlessHeld } from "../../platform/jobs/outbound.ts";
import type { Jobs } from "../../platform/jobs/runner.ts";
import type { Nightly } from "./nightly.ts";

export const backupJobs = ({ db, nightly }: JobContext & { nightly?: Nightly | undefined }): Jobs =>
  nightly === undefined
    ? {}
    : {
        // The other jobs have removed what is old by then.
        timed: { backup: { at: "7 4 * * *", fill: "1d", work: unlessHeld(db, () => nightly.run()) } },
        repeated: { "check-backups": { pauseMs: 3_600_000, isOutbound: true, work: () => nightly.check() } },
      };
