import * as feeds from "../../community/feed-imports/imports.ts";
import * as webhooks from "../../community/webhooks/operators.ts";
import * as mails from "../../mail/queue.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as jobs from "./queries.ts";

const MOST = 20;

interface Failure {
  id: number | string;
  about: string;
  reason: string | null;
}

/** `retry` and `discard` are false, or throw, when there is no such failure. */
interface Queue {
  failures(db: Db): Promise<Failure[]>;
  retry(tx: Db, id: number, now: Date): Promise<unknown>;
  /** Undefined where a failure stays until it is repaired. */
  discard?(tx: Db, id: number): Promise<unknown>;
}

/** Work that has failed, by queue. */
export const QUEUES: Readonly<Record<string, Queue>> = {
  emails: {
    async failures(db) {
      const rows = await mails.listFailed(db, MOST);
      return rows.map((mail) => ({
        ...mail,
        about: `${mail.kind} to ${mail.address ?? mail.user}`,
        reason: mail.reply,
      }));
    },
    retry: mails.retry,
    discard: mails.discard,
  },
  webhooks: {
    async failures(db) {
      const rows = (await webhooks.list(db, undefined)).filter(({ disabled_at }) => disabled_at !== null);
      return rows.map((each) => ({
        ...each,
        about: `${each.target_url} of ${each.user}`,
        reason: each.disabled_reason,
      }));
    },
    retry: webhooks.enable,
  },
  feeds: {
    async failures(db) {
      const rows = (await feeds.list(db)).filter(({ problem }) => problem !== null);
      return rows.map((feed) => ({ ...feed, about: `${feed.url} of ${feed.user}`, reason: feed.problem }));
    },
    retry: feeds.makeDue,
  },
  jobs: { failures: (db) => jobs.failedJobs(db, MOST), retry: jobs.retryJob, discard: jobs.discardJob },
};
