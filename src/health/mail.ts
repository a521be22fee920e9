import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { summary } from "../mail/queue.ts";
import { timestamp } from "../text/dates.ts";
import { count } from "../text/sentences.ts";
import { type Outcome, ok, warn } from "./finding.ts";

/** Whether mails are sent; asks nothing of the server. */
export async function checkMail(db: Db, { mail }: Pick<Config, "mail">): Promise<Outcome> {
  if (mail === undefined)
    return ok("MAIL_URL isn't set: no mails are sent, and notices to users are notifications.");
  const { pending, postponed, failed, sent_at, failed_at, reply } = await summary(db);
  const last = sent_at === null ? "none was sent in 30 days" : `the last was sent ${timestamp(sent_at)}`;
  const state = `Mails go through ${mail.host}:${mail.port} as ${mail.from.address}; ${last}, and ${pending} wait`;
  const failures = `${count(failed, "mail")} failed in 30 days, and ${postponed} will be tried again`;
  const isWell = failed_at === null || (sent_at !== null && sent_at > failed_at);
  if (isWell && postponed === 0) return ok(failed === 0 ? `${state}.` : `${state}. ${failures}.`);
  return warn(
    `${state}. ${failures}; the last with the reply "${reply}": correct what it says, look at \`inkstone mail list\`, and try \`inkstone mail test\`.`,
  );
}
