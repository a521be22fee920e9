import type { JobContext } from "../context.ts";
import type { Jobs } from "../jobs/runner.ts";
import { fetchPictures } from "./remote-pictures.ts";

export const remotePictureJobs = ({ db, services: { images, net }, files, now }: JobContext): Jobs => ({
  repeated: {
    "fetch-pictures": {
      pauseMs: 5_000,
      idle: 15_000,
      isOutbound: true,
      work: (signal) => fetchPictures({ db, files, images, net, now, signal }),
    },
  },
});
