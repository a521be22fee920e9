-- Search at bounded cost. Rows are kept in tiers of popularity: 0 holds the 4,096 most popular
-- articles, each tier after it four times as many, the last one the rest. A search visits them from
-- the top and ends as soon as it has enough, so that a common word costs what the first tiers cost.

create table article_search_before as select article_id, published_at, reactions, head, words from article_search;
drop table article_search;

create table article_search (
  tier           smallint not null,
  article_id     int not null references published_articles on delete cascade,
  published_at   timestamptz(3) not null,
  reactions      int not null,
  -- By which rules the vectors were made (searchVersion in src/text/search-text.ts); rows made by others are made again.
  search_version smallint not null,
  -- Equal for titles that are the same to a reader.
  title_key      text not null,
  -- Title, tags, names and description: small, and what articles are ranked by first.
  head           tsvector not null,
  -- The head and the body: what matches.
  words          tsvector not null
) partition by list (tier);
create table article_search_0 partition of article_search for values in (0);
create table article_search_1 partition of article_search for values in (1);
create table article_search_2 partition of article_search for values in (2);
create table article_search_3 partition of article_search for values in (3);
create table article_search_4 partition of article_search for values in (4);

-- Where a tier ends: its last article. Tiers that hold everything there is have no end.
create table search_tiers (
  tier         smallint primary key check (tier between 0 and 3),
  reactions    int not null,
  published_at timestamptz(3) not null,
  article_id   int not null
);

-- Version 0 is nobody's: all rows are made again in the background. Until then they are found by their old
-- tokens and, with these marks (src/search/marks.ts), in tags and weeks.
insert into article_search (tier, article_id, published_at, reactions, search_version, title_key, head, words)
select 0, article_id, published_at, reactions, 0, '', head || marks, words || marks
from article_search_before cross join lateral (
  select array_to_tsvector(
    array(select '~t' || tag_id from article_tags where article_tags.article_id = article_search_before.article_id)
    || ('~w' || floor(extract(epoch from published_at) / 604800)::int)) as marks
) as marked;
drop table article_search_before;

create index article_search_words on article_search using gin (words) with (fastupdate = off);
create index article_search_head on article_search using gin (head) with (fastupdate = off);
create index article_search_title on article_search (title_key);
create index article_search_version on article_search (search_version, article_id);
create unique index article_search_article on article_search (article_id, tier);

-- The tier in which an article stands: as many tiers end before it.
create function search_tier_of(reactions int, published_at timestamptz, article_id int)
returns smallint language sql stable as $$
  select count(*)::smallint from search_tiers as ending
  where (ending.reactions, ending.published_at, ending.article_id) > ($1, $2, $3)
$$;

-- Whether the beginning of a word stands in most of the popular articles. To collect all its words from
-- the index costs more than to look it up in the rows that the other words find, of which most have it.
create function search_is_common(ending tsquery)
returns boolean language plpgsql stable
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return (select count(*) from (select from article_search where tier = 0 and words @@ ending limit 2049) as found) > 2048;
end $$;

-- The articles that match, most popular first, from behind a place in that order.
--   wanted    what the index answers alone, except the last word; null when there is nothing else
--   ending    the last word, which may go on; null when the last word may not
--   whole     the whole condition; looked up in the rows where the index can't answer it
--   is_phrase whether it can't
--   besides   articles to leave out
-- At most `checks` rows are looked up. Then the last of the rows is the place that was reached, with
-- is_match false, and `skipped` says how many of `skip` are done. The planner settings keep it from
-- walking another index and filtering by text.
create function search_matches(
  wanted tsquery, ending tsquery, whole tsquery, is_phrase boolean default false, since timestamptz default null,
  besides int[] default null, before_reactions int default null, before_date timestamptz default null,
  before_id int default null, skip int default 0, most int default 1, checks int default 1
) returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, head tsvector, words tsvector,
  is_match boolean, skipped int
) language plpgsql stable rows 200
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  looked_up tsquery := coalesce(wanted && ending, wanted, ending);
  checked tsquery := case when is_phrase then whole end;
  entry record;
  got int := 0;
  seen int := 0;
begin
  skipped := 0;
  if wanted is not null and ending is not null and search_is_common(ending) then
    looked_up := wanted;
    checked := whole;
  end if;
  for at_tier in search_tier_of(before_reactions, before_date, before_id)..4 loop
    for entry in
      select candidate.* from article_search as candidate
      where candidate.tier = at_tier::smallint and candidate.words @@ looked_up
        and (since is null or candidate.published_at > since)
        and (besides is null or candidate.article_id <> all (besides))
        and (before_id is null or
          (candidate.reactions, candidate.published_at, candidate.article_id) < (before_reactions, before_date, before_id))
      order by candidate.reactions desc, candidate.published_at desc, candidate.article_id desc
      limit case when checked is null then skip - skipped + most - got else checks - seen end
    loop
      seen := seen + 1;
      article_id := entry.article_id;
      reactions := entry.reactions;
      published_at := entry.published_at;
      if checked is null or entry.words @@ checked then
        if skipped < skip then
          skipped := skipped + 1;
        else
          title_key := entry.title_key;
          head := entry.head;
          words := entry.words;
          is_match := true;
          return next;
          got := got + 1;
          if got >= most then return; end if;
        end if;
      end if;
      if checked is not null and seen >= checks then
        is_match := false;
        return next;
        return;
      end if;
    end loop;
  end loop;
end $$;

-- The most popular articles whose title, tags, names and description match alone.
create function search_head_matches(wanted tsquery, ending tsquery, whole tsquery, since timestamptz, most int)
returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, head tsvector, words tsvector
) language plpgsql stable rows 200
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  looked_up tsquery := coalesce(wanted && ending, wanted, ending);
  got int := 0;
  added int;
begin
  if wanted is not null and ending is not null and search_is_common(ending) then looked_up := wanted; end if;
  for at_tier in 0..4 loop
    return query
      select candidate.article_id, candidate.reactions, candidate.published_at, candidate.title_key,
        candidate.head, candidate.words
      from article_search as candidate
      where candidate.tier = at_tier::smallint and candidate.head @@ looked_up and (candidate.head @@ whole) is true
        and (since is null or candidate.published_at > since)
      order by candidate.reactions desc, candidate.published_at desc, candidate.article_id desc
      limit most - got;
    get diagnostics added = row_count;
    got := got + added;
    if got >= most then return; end if;
  end loop;
end $$;
