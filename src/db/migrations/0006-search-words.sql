-- The vocabulary that misspelt words are corrected by: the words of published articles' titles, tags,
-- names and descriptions, the most frequent ones of their bodies, and in how many articles each is one
-- of these. Nobody who publishes waits for another who uses the same word: the changes are only noted,
-- and summed up later (src/search/vocabulary.ts).

do $$ begin
  create extension if not exists pg_trgm;
exception when insufficient_privilege then
  raise insufficient_privilege using message =
    'it may not create the extension pg_trgm: run `create extension pg_trgm` there as a superuser';
end $$;

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
-- Without a list of pending entries, which every look-up would have to read through.
create index search_words_similar on search_words using gin (word gin_trgm_ops) with (fastupdate = off);

-- The database itself notes the changes, so that nobody can forget it and rows that go with their
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
