import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "webhooks",
    faults: sql`
      select format('The delivery %s is of the event %s, which is another one.', deliveries.id, event_id) as fault
      from webhook_deliveries as deliveries join events on events.id = event_id
      where event <> type`,
  },
];
