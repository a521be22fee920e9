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
create index article_search_words on article_search using gin (words) with (fastupdate = off);
create index article_search_head on article_search using gin (head) with (fastupdate = off);
create index article_search_title on article_search (title_key);
create index article_search_version on article_search (search_version, article_id);
create unique index article_search_article on article_search (article_id, tier);

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

-- The articles that match, most popular first, behind a place in that order and without `besides`.
-- Each tier is asked only when those above it gave too few. At most `checks` rows are checked; the last of them is
-- returned even if it does not match, with its place, which only these have. The planner settings keep it from scanning another index and
-- filtering by text, and its plan is made once per connection. Searches without checks have a query of their own:
-- numbering their rows costs a tenth of a millisecond.
create function search_matches(
  looked_up tsquery, checked tsquery, since timestamptz, besides int[],
  before_reactions int, before_date timestamptz, before_id int, skip int, most int, checks int
) returns table (
  article_id int, reactions int, published_at timestamptz, title_key text, head tsvector, words tsvector,
  place int, is_match boolean
) language plpgsql stable rows 100
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  if checked is null then
    return query
      select entry.article_id, entry.reactions, entry.published_at, entry.title_key, entry.head, entry.words,
        null::int, true
      from generate_series(search_tier_of(before_reactions, before_date, before_id), 5) as at_tier
      cross join lateral (
        select * from article_search as row
        where row.tier = at_tier and row.words @@ looked_up
          and (since is null or row.published_at > since)
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
    select candidate.*, candidate.place < checks or candidate.words @@ checked from (
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
        limit checks
      ) as entry
      limit checks
    ) as candidate
    where candidate.place = checks or candidate.words @@ checked
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
  word  text not null,
  delta int not null
);

-- Room on every page lets a count change without a new entry in the indexes.
create table search_words (
  word           text primary key,
  articles_count int not null
) with (fillfactor = 70);

-- The database notes the changes, so that no writer can forget them and rows that are deleted with their
-- article count too.
create function note_word_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into search_word_changes (word, delta)
    select word, count(*) from after_rows, unnest(words) as word group by word;
  elsif tg_op = 'DELETE' then
    insert into search_word_changes (word, delta)
    select word, -count(*) from before_rows, unnest(words) as word group by word;
  else
    insert into search_word_changes (word, delta)
    select word, sum(delta)
    from (
      select word, 1 as delta from after_rows, unnest(words) as word
      union all
      select word, -1 from before_rows, unnest(words) as word
    ) as changes
    group by word having sum(delta) <> 0;
  end if;
  return null;
end $$;
create trigger article_words_added after insert on article_words
  referencing new table as after_rows
  for each statement execute function note_word_changes();
create trigger article_words_changed after update on article_words
  referencing old table as before_rows new table as after_rows
  for each statement execute function note_word_changes();
create trigger article_words_removed after delete on article_words
  referencing old table as before_rows
  for each statement execute function note_word_changes();
