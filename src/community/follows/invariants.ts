import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "notifications of follows",
    faults: sql`
      select format('The notification %s says that the user %s follows the user %s, but they don''t.', id, actor_id, user_id) as fault
      from notifications
      where kind = 'follow' and withdrawn_at is null
        and not exists (select from follows
          where followed_user_id = notifications.user_id and follower_id = notifications.actor_id)
        and not exists (select from outbox join events on events.id = event_id
          where consumer = 'notifications' and (payload ->> 'follower_id')::int = notifications.actor_id
            and (payload ->> 'user_id')::int = notifications.user_id)`,
  },
];
