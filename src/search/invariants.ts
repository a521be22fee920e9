import { sql } from "kysely";
import type { Invariant } from "../platform/db/invariants.ts";

export const INVARIANTS: readonly Invariant[] = [
  {
    check: "search rows",
    faults: sql`
      select format('The article %s is published, but search doesn''t know it.', listed.article_id) as fault
      from published_articles as listed
      where not exists (select from search_rows as found where found.article_id = listed.article_id)`,
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
    check: "words of articles",
    faults: sql`
      select format('The article %s is published, but the vocabulary has nothing of it.', article_id) as fault
      from published_articles as listed
      -- What an older version's rules made waits to be made again.
      where exists (select from search_rows as found where found.article_id = listed.article_id and search_version <> 0)
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
