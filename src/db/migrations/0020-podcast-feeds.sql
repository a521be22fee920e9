-- Podcasts whose episodes come from a feed elsewhere.
alter table podcasts
  -- Why the feed is read no more: its host says that it is gone for good.
  add column feed_gone text;

alter table podcast_episodes
  -- What the feed calls the episode, whose title and recording may change.
  add column guid text check (char_length(guid) between 1 and 500);
create unique index podcast_episodes_guid on podcast_episodes (podcast_id, guid);
