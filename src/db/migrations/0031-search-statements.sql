-- Search asks each tier with one statement and ranks by heads alone. The first tier is small enough for
-- a common word to cost little, and one more tier keeps the last one rare.

drop function search_matches;
drop function search_head_matches;

create table article_search_5 partition of article_search for values in (5);
alter table search_tiers drop constraint search_tiers_tier_check, add check (tier between 0 and 4);

-- How a query is looked up: what the index answers, and what must then be checked in the rows, if anything.
--   wanted    all but the last word; null when there is nothing else
--   ending    the last word, which may be a prefix; null when it may not
--   whole     the whole condition
--   is_phrase whether the index can't answer the whole condition
create function search_plan(
  wanted tsquery, ending tsquery, whole tsquery, is_phrase boolean, out looked_up tsquery, out checked tsquery
) language plpgsql stable as $$
begin
  looked_up := coalesce(wanted && ending, wanted, ending);
  checked := case when is_phrase then whole end;
  if wanted is not null and ending is not null and search_is_common(ending) then
    looked_up := wanted;
    checked := whole;
  end if;
end $$;

-- The articles that match, most popular first, behind a place in that order and without `besides`.
-- Each tier is asked only when those above it gave too few. At most `checks` rows are checked. The planner settings
-- keep it from scanning another index and filtering by text, and its plan is made once per connection.
create function search_matches(
  looked_up tsquery, checked tsquery, since timestamptz, besides int[],
  before_reactions int, before_date timestamptz, before_id int, skip int, most int, checks int
) returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, head tsvector, words tsvector
) language plpgsql stable rows 100
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return query
    select candidate.* from (
      select entry.article_id, entry.reactions, entry.published_at, entry.title_key, entry.head, entry.words
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
    where checked is null or candidate.words @@ checked
    limit most offset skip;
end $$;

-- The most popular articles whose title, tags, names and description match alone.
create function search_head_matches(looked_up tsquery, whole tsquery, since timestamptz, most int)
returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, head tsvector, words tsvector
) language plpgsql stable rows 100
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return query
    select entry.article_id, entry.reactions, entry.published_at, entry.title_key, entry.head, entry.words
    from generate_series(0, 5) as at_tier
    cross join lateral (
      select * from article_search as row
      where row.tier = at_tier and row.head @@ looked_up and (row.head @@ whole) is true
        and (since is null or row.published_at > since)
      order by row.reactions desc, row.published_at desc, row.article_id desc
      limit most
    ) as entry
    limit most;
end $$;

-- Lists and searches name the version of each article, so it stands beside what they read.
alter table published_articles add column version bigint not null default 0;
update published_articles set version = articles.version from articles where articles.id = article_id;
alter table published_articles alter column version drop default;

create function copy_article_versions() returns trigger language plpgsql as $$
begin
  update published_articles set version = changed.version
  from changed where article_id = changed.id and published_articles.version <> changed.version;
  return null;
end $$;
create trigger articles_copy_versions after update on articles
  referencing new table as changed
  for each statement execute function copy_article_versions();
