import type pg from "pg";
import { analyticsJobs } from "./community/analytics/jobs.ts";
import { articleJobs } from "./community/articles/jobs.ts";
import * as rendering from "./community/articles/rendering.ts";
import { backupJobs } from "./operate/backup/jobs.ts";
import type { Nightly } from "./operate/backup/nightly.ts";
import { fileJobs } from "./community/cards/jobs.ts";
import * as commentRendering from "./community/comments/body.ts";
import type { Role } from "./platform/config/connections.ts";
import type { JobContext } from "./context.ts";
import { isUnavailable } from "./platform/db/failures.ts";
import * as events from "./platform/events/events.ts";
import { feedImportJobs } from "./community/feed-imports/jobs.ts";
import { purgeIdempotencyKeys } from "./http/run-write.ts";
import { poll } from "./platform/jobs/poll.ts";
import { enqueue } from "./platform/jobs/queue.ts";
import { type Jobs, type Log, startJobs } from "./platform/jobs/runner.ts";
import { mailJobs } from "./community/letters/jobs.ts";
import * as listings from "./community/listings/listings.ts";
import { moderationJobs } from "./community/moderation/jobs.ts";
import { notificationJobs } from "./community/notifications/jobs.ts";
import { podcastJobs } from "./community/podcasts/jobs.ts";
import { remotePictureJobs } from "./community/remote-pictures/jobs.ts";
import { searchJobs } from "./search/jobs.ts";
import { userJobs } from "./community/users/jobs.ts";
import { webhookJobs } from "./community/webhooks/jobs.ts";

export interface WorkerOptions extends Omit<JobContext, "onFailure"> {
  pool: pg.Pool;
  /** Set with BACKUP_DIR. */
  nightly?: Nightly | undefined;
  /** Background work is that of the role `jobs`. */
  role?: Role;
  log: Log;
}

const NOUNS = [
  articleJobs,
  searchJobs,
  analyticsJobs,
  notificationJobs,
  webhookJobs,
  mailJobs,
  podcastJobs,
  feedImportJobs,
  remotePictureJobs,
  moderationJobs,
  userJobs,
  fileJobs,
  backupJobs,
  kitJobs,
];

function kitJobs({ db, services: { renderPool } }: JobContext): Jobs {
  return {
    timed: {
      "purge-events": { at: "17 3 * * *", work: () => events.purge(db) },
      "purge-idempotency-keys": { at: "29 3 * * *", work: () => purgeIdempotencyKeys(db) },
    },
    queued: {
      "render-again": async () => {
        await rendering.rerender(db, renderPool);
        await commentRendering.rerender(db, renderPool);
        await listings.rerender(db, renderPool);
      },
    },
  };
}

interface Working {
  stop: () => Promise<unknown>;
}

/** Works until it is stopped. Without a database it retries; without room on the disk it pauses. */
export async function startWorker(options: WorkerOptions): Promise<Working> {
  const { role = "all", log } = options;
  const onFailure = (error: unknown) => log(isUnavailable(error) ? "warn" : "error", String(error));
  const background = role === "web" ? undefined : await startBackground({ ...options, onFailure });
  const process = role === "jobs" ? undefined : startProcess({ ...options, onFailure });
  return { stop: () => Promise.all([background?.stop(), process?.stop()]) };
}

type Options = WorkerOptions & Pick<JobContext, "onFailure">;

async function startBackground(options: Options): Promise<Working> {
  // A newer program may have another renderer.
  await enqueue(options.db, "render-again", {});
  const { disk } = options.services;
  const nouns = NOUNS.map((jobs) => jobs(options));
  return startJobs(nouns, { ...options, hasRoom: () => disk.hasRoom });
}

/** The work of a process that serves requests, which no other one could do. */
function startProcess({ db, services, log, onFailure }: Options): Working {
  const { views, searchMemory, cache, disk } = services;
  const writeViews = () => views.write(db, (line) => log("warn", line));
  const pollers = [
    poll({ pauseMs: 2_000, onFailure, work: async () => disk.hasRoom && writeViews() }),
    // An index that no search asks for falls behind; at the start, it is loaded.
    poll({ pauseMs: 600_000, onFailure, work: async () => disk.hasRoom && searchMemory.current(db, cache) }),
  ];
  return {
    async stop() {
      await Promise.all(pollers.map((each) => each.stop()));
      // The views since the last poll.
      await writeViews().catch(onFailure);
      if (views.waiting > 0) log("warn", `${views.waiting} views of articles are lost`);
    },
  };
}
