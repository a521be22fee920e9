import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";
import { RESERVED } from "./names.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    // A version before may have allowed a name that is the beginning of an address now.
    check: "pages of users",
    faults: sql`
      select format('The page of %s %s may be hidden by one of the site: its name is reserved now.', kind, username) as fault
      from (select username, kind from users union all select username, kind from organizations) as holder
      where username = any(${[...RESERVED]}::text[])`,
  },
  {
    check: "usernames",
    faults: sql`
      select format('The username %s is taken, but %s has it.', handles.username,
        'no ' || handles.kind) as fault
      from handles
      where not exists (select from users where users.username = handles.username and handles.kind = 'user')
        and not exists (select from organizations
          where organizations.username = handles.username and handles.kind = 'organization')
        and not exists (select from podcasts where podcasts.slug = handles.username and handles.kind = 'podcast')
        and not exists (select from retired_names where retired_names.username = handles.username and handles.kind = 'user')
      union all
      select format('The %s %s has the username %s, which isn''t reserved for it.', holder.kind, holder.id, holder.username)
      from (select id, username, kind from users union all select id, username, kind from organizations
        union all select id, slug, kind from podcasts) as holder
      where not exists (select from handles where handles.username = holder.username and handles.kind = holder.kind)`,
  },
];
