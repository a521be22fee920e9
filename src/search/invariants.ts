import { sql } from "kysely";
import type { Invariant } from "../db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "search rows",
    faults: sql`
      select format('The article %s is %s.', coalesce(listed.article_id, found.article_id), case
        when found.article_id is null then 'published, but search doesn''t know it'
        when listed.article_id is null then 'found by search, but isn''t published'
        else 'found by search with another date or number of reactions than it has' end) as fault
      from published_articles as listed full join article_search as found on found.article_id = listed.article_id
      where (found.published_at, found.reactions) is distinct from (listed.published_at, listed.reactions)
      union all
      select format('The article %s has %s rows in search.', article_id, count(*))
      from article_search group by article_id having count(*) > 1`,
  },
  {
    check: "versions of articles",
    faults: sql`
      select format('The article %s has version %s, but lists know version %s.', articles.id, articles.version, listed.version)
        as fault
      from published_articles as listed join articles on articles.id = listed.article_id
      where listed.version <> articles.version`,
  },
  {
    check: "search tiers",
    faults: sql`
      select format('The tier %s of search ends before the tier above it.', tier) as fault
      from (
        select tier, (reactions, published_at, article_id) > lag((reactions, published_at, article_id)) over (order by tier)
          as is_wrong from search_tiers
      ) as ends
      where is_wrong
      union all
      select format('The tier %s of search has an end, but the one above it has none.', tier)
      from search_tiers where tier > 0 and not exists (select from search_tiers as above where above.tier = search_tiers.tier - 1)
      union all
      select format('The article %s stands in the tier %s of search, not in %s.', article_id, tier, due)
      from article_search
      cross join lateral (select search_tier_of(reactions, published_at, article_id) as due) as right_one
      where tier <> due`,
  },
  {
    check: "words of articles",
    faults: sql`
      select format('The article %s is published, but the vocabulary has nothing of it.', article_id) as fault
      from published_articles as listed
      -- What an older version's rules made waits to be made again.
      where exists (select from article_search as found where found.article_id = listed.article_id and search_version <> 0)
        and not exists (select from article_words where article_words.article_id = listed.article_id)`,
  },
  {
    check: "vocabulary",
    faults: sql`
      select format('The word "%s" is counted %s times, but stands in %s articles.', word, counted, present) as fault
      from (
        select word, coalesce(sum(counted), 0) as counted, coalesce(sum(present), 0) as present
        from (
          select word, articles_count as counted, 0 as present from search_words
          union all
          -- Noted, and not summed up yet.
          select word, delta, 0 from search_word_changes cross join unnest(words) as word
          union all
          select word, 0, 1 from article_words cross join unnest(words) as word
        ) as counts
        group by word
      ) as words
      where counted <> present`,
  },
];
