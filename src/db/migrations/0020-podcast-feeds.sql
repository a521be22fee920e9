-- Podcasts whose episodes come from a feed elsewhere.
alter table podcasts
  -- Why the feed is read no more: its host says that it is gone for good.
  add column feed_gone text;

alter table podcast_episodes
  -- What the feed calls the episode, whose title and recording may change.
  add column guid text check (char_length(guid) between 1 and 500);
create unique index podcast_episodes_guid on podcast_episodes (podcast_id, guid);

create trigger podcasts_unfetched after delete on podcasts
  for each row execute function forget_fetch('podcast');
create trigger episodes_unfetched after delete on podcast_episodes
  for each row execute function forget_fetch('episode');

alter table demo_rows
  drop constraint demo_rows_kind_check,
  add constraint demo_rows_kind_check check (kind in ('user', 'organization', 'tag', 'podcast'));

-- Feeds of podcasts that a community file brought before there was anything to read them.
insert into fetches (kind, id, due_at)
  select 'podcast', id, now() + random() * interval '1 hour' from podcasts where feed_url is not null;
insert into fetches (kind, id, due_at)
  select 'episode', podcast_episodes.id, now() + random() * interval '1 day'
  from podcast_episodes join podcasts on podcasts.id = podcast_id where feed_url is not null;
