import type { JobsOf } from "../../context.ts";
import { purgeSignIns } from "./sign-in.ts";

export const userJobs: JobsOf = ({ db, now }) => ({
  timed: { "purge-sign-ins": { at: "27 3 * * *", work: () => purgeSignIns(db, now()) } },
});
