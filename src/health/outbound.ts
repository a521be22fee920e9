import type { Db } from "../db/connect.ts";
import * as outbound from "../jobs/outbound.ts";
import { timestamp } from "../text/dates.ts";
import { type Outcome, ok, warn } from "./finding.ts";

export async function checkOutbound(db: Db): Promise<Outcome> {
  const since = await outbound.heldSince(db);
  if (since === undefined) return ok("Webhook deliveries, mails and fetches leave the site.");
  return warn(
    `Webhook deliveries, mails and fetches are held since the site was restored, ${timestamp(since)}: when it takes the place of the one that was saved, run \`inkstone outbound resume\`.`,
  );
}
