import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "tag aliases",
    faults: sql`
      select format('The tag %s (%s) is another name of %s, which is another name itself.', tags.id, tags.name, preferred.name) as fault
      from tags join tags as preferred on preferred.id = tags.alias_for
      where preferred.alias_for is not null`,
  },
  {
    check: "other names of tags",
    // A job moves articles of a new alias.
    faults: sql`
      select format('The %s %s carries %s, which is another name of another tag: make it a tag of its own and then an alias of %s again at /admin/tags/%s.',
        carrier.kind, carrier.id, tags.name, preferred.name, tags.name) as fault
      from tags join tags as preferred on preferred.id = tags.alias_for
      join (
        select 'article' as kind, articles.id, name from articles, unnest(tag_list) as name
        union all
        select 'listing', listings.id, name from listings, unnest(tag_list) as name
      ) as carrier on carrier.name = tags.name
      where not exists (
        select from graphile_worker.jobs where key = format('refresh-articles {"alias":"%s"}', tags.name)
      )`,
  },
];
