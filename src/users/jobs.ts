import type { JobContext } from "../context.ts";
import type { Jobs } from "../jobs/runner.ts";
import { purgeSignIns } from "./sign-in.ts";

export const userJobs = ({ db, now }: JobContext): Jobs => ({
  timed: { "purge-sign-ins": { at: "27 3 * * *", work: () => purgeSignIns(db, now()) } },
});
