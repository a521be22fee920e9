-- When something that others publish is fetched next, and what came of the last time. One row for each
-- podcast, feed, picture and so on that has an address elsewhere.

create table fetches (
  -- What is fetched, such as 'podcast'; the number is that of a row in a table of its own.
  kind          text not null check (kind ~ '^[a-z][a-z-]{0,39}$'),
  id            int not null,
  due_at        timestamptz(3) not null,
  -- Whoever fetches it holds it until then, by the database's clock; a killed process never gives it back.
  lease         uuid,
  leased_until  timestamptz(3),
  -- What the other server said of the version that was read last, to be asked for newer ones only.
  etag          text check (char_length(etag) <= 1000),
  last_modified text check (char_length(last_modified) <= 200),
  fetched_at    timestamptz(3),
  succeeded_at  timestamptz(3),
  -- Failures since the last success, and why the last one failed, in a sentence for people.
  failures      int not null default 0 check (failures >= 0),
  failure       text check (char_length(failure) <= 500),
  primary key (kind, id),
  check ((lease is null) = (leased_until is null)),
  check ((failures = 0) = (failure is null))
);
-- The next one of a kind.
create index fetches_due on fetches (kind, due_at, id);

-- For the tables whose rows are fetched, so that nothing is fetched for what is gone:
-- create trigger podcasts_unfetched after delete on podcasts for each row execute function forget_fetch('podcast').
create function forget_fetch() returns trigger language plpgsql as $$
begin
  delete from fetches where kind = tg_argv[0] and id = old.id;
  return null;
end $$;
