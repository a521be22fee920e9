import { sendDue, type Sending } from "../mail/sending.ts";
import * as notifications from "../notifications/notifications.ts";
import * as settings from "../settings/settings.ts";
import { letters } from "./letters.ts";

interface Options extends Pick<Sending, "db" | "baseUrl" | "now"> {
  /** Undefined where mail isn't set up. */
  mail?: Sending["server"];
  services: Pick<Sending, "metrics">;
}

/** Sends the mails of the site that are due. */
export function sendMails(
  { db, baseUrl, now, mail: server, services: { metrics } }: Options,
  means: Partial<Sending> & Pick<Sending, "signal" | "onFailure">,
): Promise<void> {
  const describe = async () => {
    const { community_name: community, contact_email: contact } = await settings.read(db);
    return { community, contact };
  };
  const { notifyOfSecurity: notify } = notifications;
  return sendDue({ db, baseUrl, now, server, metrics, letters, describe, notify, ...means });
}
