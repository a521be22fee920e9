-- A publication costs less.

-- The words of a body don't shrink by a quarter, so PostgreSQL's compression, tried for each row, never kept them.
alter table article_search alter column words set storage external;
-- Searches have plans that don't ask which words are frequent. Counting them would read the words of 30,000 articles.
alter table article_search alter column words set statistics 0, alter column head set statistics 0;

-- Triggers for each row: one for each statement also runs for statements that change nothing, and PostgreSQL keeps 8 KB
-- for each savepoint with one until the transaction ends. A large import has a savepoint for each batch.
drop trigger articles_copy_versions on articles;
drop function copy_article_versions;
create function copy_article_version() returns trigger language plpgsql as $$
begin
  update published_articles set version = new.version where article_id = new.id and version <> new.version;
  return null;
end $$;
create trigger articles_copy_version after update on articles
  for each row execute function copy_article_version();

drop trigger published_articles_added on published_articles;
drop trigger published_articles_removed on published_articles;
drop function note_published_articles;
create or replace function note_published_article() returns trigger language plpgsql as $$
begin
  insert into analytics_moves (article_id) values (coalesce(new.article_id, old.article_id));
  return null;
end $$;
create trigger published_articles_noted after insert or delete on published_articles
  for each row execute function note_published_article();

drop trigger article_words_added on article_words;
drop trigger article_words_changed on article_words;
drop trigger article_words_removed on article_words;
-- The old row is null for a new article, the new one for a removed one.
create or replace function note_word_changes() returns trigger language plpgsql as $$
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

-- The search for a repeated title reads no articles.
drop index articles_author;
create index articles_author on articles (author_id, created_at desc, title);
