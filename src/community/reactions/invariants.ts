import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "counts of reactions",
    faults: sql`
      select format('The article %s counts %s reactions, but has %s.', id, reactions_count, coalesce(present, 0)) as fault
      from articles
      left join (select article_id, count(*) as present from reactions group by article_id) as counted on article_id = id
      where reactions_count <> coalesce(present, 0)
      union all
      select format('The comment %s counts %s reactions, but has %s.', id, reactions_count, coalesce(present, 0))
      from comments
      left join (select comment_id, count(*) as present from reactions group by comment_id) as counted on comment_id = id
      where reactions_count <> coalesce(present, 0)`,
  },
];
