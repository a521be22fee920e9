-- expand

-- The tokens of published articles, made by the server (src/search/index/vector.ts), so that what matches depends on no
-- locale of the database. Processes keep them in memory and rank there; the index finds the articles whose bodies have
-- no room (docs/search.md). What changes often, such as reactions, stands in published_articles alone: a changed row
-- would write its whole vector again.
create table search_rows (
  article_id     int primary key references published_articles on delete cascade,
  -- The rules that made the vectors (searchVersion); rows made by others are made again.
  search_version smallint not null,
  -- Equal for titles that are the same to a reader.
  title_key      text not null,
  -- Title, tags, names and description.
  head           tsvector not null,
  -- The head and the body.
  words          tsvector not null
);
-- The words of a body don't shrink by a quarter, so PostgreSQL's compression, tried for each row, never kept them.
alter table search_rows alter column words set storage external;
-- Counting which words are frequent would read the words of 30,000 articles.
alter table search_rows alter column words set statistics 0, alter column head set statistics 0;

insert into search_rows (article_id, search_version, title_key, head, words)
select article_id, 0, title_key, head, words from article_search;

create index search_rows_words on search_rows using gin (words);
create index search_rows_title on search_rows (title_key);
create index search_rows_version on search_rows (search_version);

create trigger search_rows_noted after insert or delete or update of words on search_rows
  for each row execute function note_search_change('true');

-- A program of the version before writes article_search. Its rows are made again by the rules of this one. Until it
-- ends, it doesn't find what this one writes.
create function copy_search_row() returns trigger language plpgsql as $$
begin
  insert into search_rows (article_id, search_version, title_key, head, words)
  values (new.article_id, 0, new.title_key, new.head, new.words)
  on conflict (article_id) do update
    set search_version = 0, title_key = excluded.title_key, head = excluded.head, words = excluded.words;
  return null;
end $$;
create trigger article_search_copied after insert or update of words on article_search
  for each row execute function copy_search_row();

-- Some articles that match: the first ones in an order, or any. Statistics know nothing of words, so only the index may be
-- used.
create function search_candidates(looked_up tsquery, besides int[], in_order text, since timestamptz, most int)
returns setof int language plpgsql stable rows 100
set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
begin
  if in_order is null then
    return query
      select article_id from search_rows as found
      where words @@ looked_up and not exists (select from unnest(besides) as known where known = article_id)
        and (since is null
          or (select published_at from published_articles as listed where listed.article_id = found.article_id) > since)
      limit most;
  else
    return query
      select article_id from search_rows as found join published_articles as listed using (article_id)
      where words @@ looked_up and not exists (select from unnest(besides) as known where known = article_id)
        and (since is null or listed.published_at > since)
      order by case when in_order = 'popularity' then listed.reactions end desc, listed.published_at desc, article_id desc
      limit most;
  end if;
end $$;
