-- What people think of articles and comments, and what they keep to read later: a mark on the reading
-- list is a reaction too, and counts as one.

create table reactions (
  id         int generated always as identity primary key,
  user_id    int not null references users on delete cascade,
  article_id int references articles on delete cascade,
  comment_id int references comments on delete cascade,
  category   text not null check (category in
    ('like', 'unicorn', 'exploding_head', 'raised_hands', 'fire', 'readinglist')),
  -- Of marks on a reading list; archived ones are kept, but not listed.
  status     text not null default 'valid' check (status in ('valid', 'invalid', 'confirmed', 'archived')),
  created_at timestamptz(3) not null default now(),
  check (num_nonnulls(article_id, comment_id) = 1),
  check (category <> 'readinglist' or article_id is not null),
  check (category = 'readinglist' or status = 'valid'),
  unique (article_id, user_id, category),
  unique (comment_id, user_id, category)
);
create index reactions_user on reactions (user_id);
-- Serves the reading list, as it is shown.
create index reactions_reading_list on reactions (user_id, created_at desc, id desc)
  where category = 'readinglist' and status <> 'archived';

-- The score is a sum, so that nobody can write down another: what readers gave here and elsewhere, and
-- these points, which don't come from readers.
alter table articles add column points int not null default 0;
update articles set points = score - imported_reactions_count - reactions_count
where score <> imported_reactions_count + reactions_count;
alter table articles drop column score;
alter table articles add column score int not null
  generated always as (points + imported_reactions_count + reactions_count) stored;

-- A reaction changes one number of a search row. Where its page has room for the changed row, no index
-- learns of it.
alter table article_search_0 set (fillfactor = 80);
alter table article_search_1 set (fillfactor = 80);
alter table article_search_2 set (fillfactor = 80);
alter table article_search_3 set (fillfactor = 80);
alter table article_search_4 set (fillfactor = 80);

-- Videos are few among many articles: their list has an index of its own.
alter table published_articles add column has_video boolean not null default false;
create index published_videos on published_articles (hotness desc, published_at desc, article_id desc)
  where has_video;

-- Videos on YouTube have pictures at addresses that follow from theirs (src/text/video-picture.ts).
update articles set video_thumbnail_url = 'https://i.ytimg.com/vi/' || found.id || '/hqdefault.jpg'
from (
  select articles.id as article_id, substring(video_source_url from
    '(?i)^https?://(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:watch\?(?:\S*&)?v=|embed/|shorts/|live/)|youtu\.be/)([\w-]{11})(?![\w-])'
  ) as id
  from articles where video_source_url is not null and video_thumbnail_url is null
) as found
where articles.id = found.article_id and found.id is not null;

update published_articles set has_video = true
from articles
where articles.id = article_id and video_source_url is not null
  and coalesce(video_thumbnail_url, main_image) is not null;
