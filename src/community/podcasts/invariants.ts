import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "feeds of podcasts",
    faults: sql`
      select format('The feed of the podcast %s is never read.', id) as fault
      from podcasts
      where feed_url is not null and feed_gone is null
        and not exists (select from fetches where kind = 'podcast' and fetches.id = podcasts.id)
      union all
      select format('The podcast %s is to be read, but has no feed.', id)
      from fetches
      where kind = 'podcast' and not exists (select from podcasts where podcasts.id = fetches.id and feed_url is not null)`,
  },
  {
    check: "recordings of podcasts",
    faults: sql`
      select format('The audio file of the episode %s is never checked.', podcast_episodes.id) as fault
      from podcast_episodes join podcasts on podcasts.id = podcast_id
      where feed_url is not null
        and not exists (select from fetches where kind = 'episode' and fetches.id = podcast_episodes.id)
      union all
      select format('The audio file of the episode %s is checked, but the episode has none.', id)
      from fetches
      where kind = 'episode' and not exists (select from podcast_episodes where podcast_episodes.id = fetches.id)`,
  },
];
