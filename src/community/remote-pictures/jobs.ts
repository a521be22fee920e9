import type { JobsOf } from "../../context.ts";
import { fetchPictures } from "./remote-pictures.ts";

export const remotePictureJobs: JobsOf = ({ db, services: { images, net }, files, now }) => ({
  repeated: {
    "fetch-pictures": {
      pauseMs: 5_000,
      idle: 15_000,
      isOutbound: true,
      work: (signal) => fetchPictures({ db, files, images, net, now, signal }),
    },
  },
});
