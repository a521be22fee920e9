-- Processes keep what they search in memory, and ask for what their last snapshot didn't see: no lock, and no change of
-- a long transaction is missed. What is older than an hour goes; a process that asked longer ago reads everything again.
create table search_changes (
  article_id int not null,
  -- Its words, or only its version, date or number of reactions.
  has_text   boolean not null,
  changed_in xid8 not null default pg_current_xact_id(),
  noted_at   timestamptz not null default now()
);
create index search_changes_in on search_changes (changed_in);

create function note_search_change() returns trigger language plpgsql as $$
begin
  insert into search_changes (article_id, has_text) values (coalesce(new.article_id, old.article_id), tg_argv[0]::boolean);
  return null;
end $$;
create trigger article_search_noted after insert or delete or update of words on article_search
  for each row execute function note_search_change('true');
create trigger published_articles_changed after update of version, reactions, published_at on published_articles
  for each row execute function note_search_change('false');

-- The same for the vocabulary.
alter table search_words add column changed_in xid8 not null default pg_current_xact_id();
create index search_words_changed_in on search_words (changed_in);

drop function search_head_matches;

-- The number of articles that match in the tiers up to one; 1 if only others do.
create function search_count(looked_up tsquery, last_tier int) returns int language plpgsql stable
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  matches int;
begin
  select count(*) into matches from article_search as row where row.tier <= last_tier and row.words @@ looked_up;
  if matches = 0 then
    select count(*) into matches from (
      select from article_search as row where row.tier > last_tier and row.words @@ looked_up limit 1
    ) as other;
  end if;
  return matches;
end $$;

-- The most popular articles that match, of some tiers and behind a place.
drop function search_matches;
create function search_matches(
  looked_up tsquery, checked tsquery, since timestamptz, until timestamptz, besides int[],
  before_reactions int, before_date timestamptz, before_id int, first_tier int, last_tier int,
  skip int, most int, checks int
)
returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, words tsvector, place int, is_match boolean
) language plpgsql stable rows 100
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  if checked is null then
    return query
      select entry.article_id, entry.reactions, entry.published_at, entry.title_key, entry.words, null::int, true
      from generate_series(
        greatest(first_tier, search_tier_of(before_reactions, before_date, before_id)), last_tier
      ) as at_tier
      cross join lateral (
        select * from article_search as row
        where row.tier = at_tier and row.words @@ looked_up
          and (since is null or row.published_at > since) and row.published_at <= until
          and (besides is null or row.article_id <> all (besides))
          and (before_id is null
            or (row.reactions, row.published_at, row.article_id) < (before_reactions, before_date, before_id))
        order by row.reactions desc, row.published_at desc, row.article_id desc
        limit skip + most
      ) as entry
      limit most offset skip;
    return;
  end if;
  return query
    select candidate.article_id, candidate.reactions, candidate.published_at, candidate.title_key, candidate.words,
      candidate.nth::int, candidate.nth < checks or candidate.words @@ checked
    from search_matches(
      looked_up, null, since, until, besides, before_reactions, before_date, before_id, first_tier, last_tier,
      0, checks, checks
    ) with ordinality as candidate (article_id, reactions, published_at, title_key, words, place, is_match, nth)
    where candidate.nth = checks or candidate.words @@ checked
    limit most offset skip;
end $$;

-- The same with something in the title, whose tokens alone have the weights of titles.
create function search_titles(
  titled tsquery, looked_up tsquery, checked tsquery, since timestamptz, until timestamptz,
  before_reactions int, before_date timestamptz, before_id int, first_tier int, last_tier int, most int
)
returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, words tsvector
) language plpgsql stable rows 100
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  return query
    select entry.article_id, entry.reactions, entry.published_at, entry.title_key, entry.words
    from generate_series(
      greatest(first_tier, search_tier_of(before_reactions, before_date, before_id)), last_tier
    ) as at_tier
    cross join lateral (
      select * from article_search as row
      where row.tier = at_tier and row.head @@ titled and row.words @@ looked_up
        and (checked is null or row.words @@ checked) and (since is null or row.published_at > since) and row.published_at <= until
        and (before_id is null
          or (row.reactions, row.published_at, row.article_id) < (before_reactions, before_date, before_id))
      order by row.reactions desc, row.published_at desc, row.article_id desc
      limit most
    ) as entry
    limit most;
end $$;
