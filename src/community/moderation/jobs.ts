import * as upkeep from "../articles/upkeep.ts";
import type { JobsOf } from "../../context.ts";
import { forgetTraces } from "./deleting.ts";
import { liftEnded } from "./acts.ts";
import { moveAliased } from "./tags.ts";

export const moderationJobs: JobsOf = ({ db, files, now }) => ({
  timed: { "lift-suspensions": { at: "* * * * *", work: () => liftEnded(db, now()) } },
  queued: {
    "forget-user": async ({ user_id: userId, files: names }) => {
      const isDone = await forgetTraces({ db, files }, { userId, names });
      if (!isDone) throw new Error("A backup runs, or the site is restored: files are removed later.");
    },
    "refresh-articles": async (whose) => {
      if ("alias" in whose) await moveAliased(db, whose.alias, now());
      else await upkeep.refreshAll(db, whose, now());
    },
  },
});
