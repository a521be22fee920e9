import type { JobsOf } from "../../context.ts";
import { nextDue } from "../../platform/events/outbox.ts";
import { createWakeUp } from "../../platform/jobs/poll.ts";
import { leases } from "./attempt-queries.ts";
import { deliverDue } from "./deliver.ts";
import { resendMissed } from "./endpoint-state.ts";
import { fanOut, purge } from "./queue.ts";

export const webhookJobs: JobsOf = ({ db, services: { net, metrics }, baseUrl, now, onFailure }) => {
  const wakeUp = createWakeUp();
  const delivering = { db, net, metrics, now, random: Math.random, wakeUp, onFailure };
  return {
    repeated: {
      "queue-deliveries": {
        // The delay of a webhook. Queued deliveries are sent at once.
        pauseMs: 250,
        idle: { due: nextDue("webhooks"), clock: "database", leastMs: 5_000 },
        work: async (signal) => {
          if ((await fanOut(db, { baseUrl, now, signal })) > 0) wakeUp.notify();
        },
      },
      deliver: {
        pauseMs: 250,
        idle: { due: leases.next, leastMs: 2_000 },
        isOutbound: true,
        work: (signal) => deliverDue({ ...delivering, signal }),
        wakeUp,
      },
    },
    timed: { "purge-webhook-deliveries": { at: "43 3 * * *", work: () => purge(db, now()) } },
    queued: { "resend-missed": (missed) => resendMissed(db, missed) },
  };
};
