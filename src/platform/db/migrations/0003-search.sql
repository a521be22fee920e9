-- expand

-- Search at bounded cost. Rows are kept in tiers of popularity: 0 holds the most popular articles, each tier
-- after it four times as many, the last one the rest (src/search/popularity-tiers.ts). A search visits them from the top
-- and ends as soon as it has enough, so that a common word costs what the first tiers cost. The tokens are made
-- by the server (src/search/tokens.ts), so that what matches depends on no locale of the database. No column that changes
-- often is indexed: a changed index entry would write the whole vector again.
create table article_search (
  tier           smallint not null,
  article_id     int not null references published_articles on delete cascade,
  published_at   timestamptz(3) not null,
  reactions      int not null,
  -- The rules that made the vectors (searchVersion in src/search/vector.ts); rows made by others are made again.
  search_version smallint not null,
  -- Equal for titles that are the same to a reader.
  title_key      text not null,
  -- Title, tags, names and description: small, and what articles are ranked by first.
  head           tsvector not null,
  -- The head and the body: what matches.
  words          tsvector not null
) partition by list (tier);
-- A reaction changes one number of a row. Where its page has room for the changed row, no index learns of it.
-- The last tier, whose articles seldom get one, leaves no room.
create table article_search_0 partition of article_search for values in (0) with (fillfactor = 80);
create table article_search_1 partition of article_search for values in (1) with (fillfactor = 80);
create table article_search_2 partition of article_search for values in (2) with (fillfactor = 80);
create table article_search_3 partition of article_search for values in (3) with (fillfactor = 80);
create table article_search_4 partition of article_search for values in (4) with (fillfactor = 80);
create table article_search_5 partition of article_search for values in (5);
-- Lists of pending entries: a publication appends its words instead of finding the place of each in the indexes. The
-- server empties the lists within about a second (src/search/pending-lists.ts), because searches read through them.
create index article_search_words on article_search using gin (words);
create index article_search_head on article_search using gin (head);
create index article_search_title on article_search (title_key text_pattern_ops);
create index article_search_version on article_search (search_version, article_id);
create unique index article_search_article on article_search (article_id, tier);
-- The words of a body don't shrink by a quarter, so PostgreSQL's compression, tried for each row, never kept them.
alter table article_search alter column words set storage external;
-- Searches have plans that don't ask which words are frequent. Counting them would read the words of 30,000 articles.
alter table article_search alter column words set statistics 0, alter column head set statistics 0;

-- Where a tier ends: its last article. Tiers that hold everything there is have no end.
create table search_tiers (
  tier         smallint primary key check (tier between 0 and 4),
  reactions    int not null,
  published_at timestamptz(3) not null,
  article_id   int not null
);

-- The tier in which an article stands: as many tiers end before it.
create function search_tier_of(reactions int, published_at timestamptz, article_id int)
returns smallint language sql stable as $$
  select count(*)::smallint from search_tiers as ending
  where (ending.reactions, ending.published_at, ending.article_id) > ($1, $2, $3)
$$;

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

-- The program's role may own nothing: these do what only the owner of the indexes may, with its rights. Other roles
-- may call them when they are granted (db/rights.ts).

create function clean_pending_lists() returns void language sql security definer set search_path = public, pg_temp as $$
  select gin_clean_pending_list(inhrelid) from pg_inherits
  where inhparent in ('article_search_words'::regclass, 'article_search_head'::regclass)
$$;

-- For a first import: the indexes of many rows are built at once.
create function set_text_indexes(wanted boolean) returns void language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if wanted then
    create index article_search_words on article_search using gin (words);
    create index article_search_head on article_search using gin (head);
  else
    drop index article_search_words, article_search_head;
  end if;
end $$;

revoke execute on function clean_pending_lists, set_text_indexes from public;

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

-- The vocabulary that corrects misspelt words: the words of published articles' titles, tags, names and
-- descriptions, the most frequent ones of their bodies, and in how many articles each is one of these. Authors
-- who publish at the same time don't wait for each other at a shared word: the changes are only noted, and
-- summed up later (src/search/vocabulary.ts).

create table article_words (
  article_id int primary key references published_articles on delete cascade,
  -- Each once.
  words      text[] not null
);

create table search_word_changes (
  id    bigint generated always as identity primary key,
  words text[] not null,
  delta int not null
);

-- Room on every page lets a count change without a new entry in the indexes.
create table search_words (
  word           text primary key,
  articles_count int not null,
  -- Processes ask for changed words as for changed articles.
  changed_in     xid8 not null default pg_current_xact_id()
) with (fillfactor = 70);
create index search_words_changed_in on search_words (changed_in);

-- The database notes the changes, so that no writer can forget them and rows that are deleted with their
-- article count too.
-- The old row is null for a new article, the new one for a removed one.
create function note_word_changes() returns trigger language plpgsql as $$
begin
  insert into search_word_changes (words, delta)
  select changed.words, delta
  from (values
    (array(select unnest(new.words) except select unnest(old.words)), 1),
    (array(select unnest(old.words) except select unnest(new.words)), -1)
  ) as changed (words, delta)
  where changed.words <> '{}';
  return null;
end $$;
create trigger article_words_noted after insert or update or delete on article_words
  for each row execute function note_word_changes();
