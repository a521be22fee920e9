-- The program's role may own nothing: these do what only the owner of the indexes may, with its rights. Other roles
-- may call them when they are granted (db/rights.ts).

create function clean_pending_lists() returns void language sql security definer set search_path = public, pg_temp as $$
  select gin_clean_pending_list(inhrelid) from pg_inherits
  where inhparent in ('article_search_words'::regclass, 'article_search_head'::regclass)
$$;

-- For a first import: the indexes of many rows are built at once.
create function drop_text_indexes() returns void language sql security definer set search_path = public, pg_temp as $$
  drop index article_search_words, article_search_head
$$;

create function build_text_indexes() returns void language sql security definer set search_path = public, pg_temp as $$
  create index article_search_words on article_search using gin (words);
  create index article_search_head on article_search using gin (head)
$$;

revoke execute on function clean_pending_lists, drop_text_indexes, build_text_indexes from public;
