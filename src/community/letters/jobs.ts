import type { JobContext, JobsOf } from "../../context.ts";
import { leases, purge } from "../../mail/queue.ts";
import { sendDue, type Sending } from "../../mail/sending.ts";
import * as notifications from "../notifications/notifications.ts";
import { letters } from "./letters.ts";

export const mailJobs: JobsOf = (context) => ({
  repeated: {
    "send-mails": {
      pauseMs: 1_000,
      idle: { due: leases.next, leastMs: 2_000 },
      isOutbound: true,
      work: (signal) => sendMails(context, { signal }),
    },
  },
  timed: { "purge-mails": { at: "47 3 * * *", work: () => purge(context.db, context.now()) } },
});

export function sendMails(
  { db, baseUrl, now, mail: server, services: { metrics }, onFailure }: Omit<JobContext, "files">,
  means: Partial<Sending> & Pick<Sending, "signal">,
): Promise<void> {
  const { notifyOfSecurity: notify } = notifications;
  return sendDue({ db, baseUrl, now, server, metrics, letters, notify, onFailure, ...means });
}
