import { sql } from "kysely";
import type { Invariant } from "../db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "expired listings",
    faults: sql`
      select format('The listing %s is in no list, as if it had expired, but it expires %s.', id,
        coalesce('at ' || expires_at::text, 'never')) as fault
      from listings where has_expired and (expires_at is null or expires_at > now())`,
  },
];
