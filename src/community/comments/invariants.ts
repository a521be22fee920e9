import { sql } from "kysely";
import type { Invariant } from "../../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "counts of comments",
    faults: sql`
      select format('The article %s counts %s comments, but has %s.', id, comments_count, coalesce(present, 0)) as fault
      from articles left join (
        select article_id, count(*) as present from comments where not deleted group by article_id
      ) as counted on article_id = id
      where comments_count <> coalesce(present, 0)
      union all
      select format('The last comment on the article %s is said to be of %s, but it is of %s.', id,
        coalesce(last_comment_at::text, 'no date'), coalesce(last_at::text, 'no date'))
      from articles left join (
        select article_id, max(created_at) as last_at from comments where not deleted group by article_id
      ) as counted on article_id = id
      where last_comment_at is distinct from last_at`,
  },
  {
    check: "threads of comments",
    faults: sql`
      select format('The comment %s is a reply to the comment %s, which belongs to another article or episode.', comments.id, comments.parent_id) as fault
      from comments join comments as answered on answered.id = comments.parent_id
      where (comments.article_id, comments.episode_id) is distinct from (answered.article_id, answered.episode_id)
      union all
      select format('The comment %s is a reply to the comment %s, but belongs to another thread.', comments.id, comments.parent_id)
      from comments join comments as answered on answered.id = comments.parent_id
      where comments.root_id <> answered.root_id
      union all
      select format('The comment %s begins the thread of the comment %s.', id, root_id)
      from comments where parent_id is null and root_id <> id`,
  },
];
