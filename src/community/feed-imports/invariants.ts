import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "feeds",
    faults: sql`
      select format('The feed %s is never read: run \`inkstone feed refresh %s\`.', id, id) as fault
      from feed_sources
      where not exists (select from fetches where kind = 'feed' and fetches.id = feed_sources.id)`,
  },
];
