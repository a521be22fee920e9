import type { MailServer } from "../src/config/mail.ts";
import { sendMails } from "../src/letters/jobs.ts";
import { list } from "../src/mail/queue.ts";
import type { Letters } from "../src/mail/sending.ts";
import type { World } from "./world.ts";

interface Manner {
  server: MailServer | undefined;
  letters?: Letters;
  onFailure?: (error: unknown) => void;
}

/** Does what the worker of a world does with its mails. */
export function mailingIn({ db, services, context: { config, now } }: World) {
  const { signal } = new AbortController();
  const onFailure = (error: unknown) => {
    throw error;
  };
  return {
    send: ({ server: mail, ...manner }: Manner) =>
      sendMails({ db, services, mail, baseUrl: config.baseUrl, now, onFailure }, { signal, ...manner }),
    /** Oldest first. */
    mails: async () => (await list(db, { limit: 1_000 })).toReversed(),
  };
}
