import type { JobsOf } from "../../context.ts";
import * as mediaChecks from "./media-checks.ts";
import * as refreshing from "./refreshing.ts";

const FETCHES = { pauseMs: 5_000, idle: 15_000, isOutbound: true };

export const podcastJobs: JobsOf = ({ db, services, now }) => ({
  repeated: {
    "refresh-podcasts": {
      ...FETCHES,
      work: (signal) => refreshing.refreshDue({ db, outside: services, now, signal }),
    },
    "check-media": {
      ...FETCHES,
      work: (signal) => mediaChecks.checkDue({ db, net: services.net, now, signal }),
    },
  },
});
