import { sql } from "kysely";
import type { Invariant } from "../db/invariant.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "webhooks",
    faults: sql`
      select format('The delivery %s waits, but its endpoint %s is disabled.', deliveries.id, endpoints.id) as fault
      from webhook_deliveries as deliveries join webhook_endpoints as endpoints on endpoints.id = endpoint_id
      where state = 'pending' and disabled_at is not null and settled_to is null
      union all
      select format('The delivery %s is of the event %s, which is another one.', deliveries.id, event_id)
      from webhook_deliveries as deliveries join events on events.id = event_id
      where event <> type`,
  },
];
