-- A search that checks rows reads them once: the last row that was checked comes with the matches.
drop function search_matches;

-- The articles that match, most popular first, behind a place in that order and without `besides`.
-- Each tier is asked only when those above it gave too few. At most `checks` rows are checked; the last of them is
-- given even if it does not match, with its place. The planner settings keep it from scanning another index and
-- filtering by text, and its plan is made once per connection.
create function search_matches(
  looked_up tsquery, checked tsquery, since timestamptz, besides int[],
  before_reactions int, before_date timestamptz, before_id int, skip int, most int, checks int
) returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, head tsvector, words tsvector,
  place int, is_match boolean
) language plpgsql stable rows 100
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return query
    select candidate.*, checked is null or candidate.place < checks or candidate.words @@ checked from (
      select entry.article_id, entry.reactions, entry.published_at, entry.title_key, entry.head, entry.words,
        (row_number() over ())::int as place
      from generate_series(search_tier_of(before_reactions, before_date, before_id), 5) as at_tier
      cross join lateral (
        select * from article_search as row
        where row.tier = at_tier and row.words @@ looked_up
          and (since is null or row.published_at > since)
          and (besides is null or row.article_id <> all (besides))
          and (before_id is null
            or (row.reactions, row.published_at, row.article_id) < (before_reactions, before_date, before_id))
        order by row.reactions desc, row.published_at desc, row.article_id desc
        limit case when checked is null then skip + most else checks end
      ) as entry
      limit case when checked is not null then checks end
    ) as candidate
    where checked is null or candidate.place = checks or candidate.words @@ checked
    limit most offset skip;
end $$;
