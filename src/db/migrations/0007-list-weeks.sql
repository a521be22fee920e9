-- The most popular of a span of time are the most popular of each of its weeks, merged. An order by
-- popularity alone would be walked past everything older, and an order by date be sorted whole.
-- Weeks are counted from 1970 and start on Thursdays: nobody sees them.
alter table published_articles add column week int not null
  generated always as (floor(extract(epoch from published_at at time zone 'UTC') / 604800)) stored;
create index published_by_week on published_articles (week, reactions desc, published_at desc, article_id desc);

alter table article_tags add column week int not null
  generated always as (floor(extract(epoch from published_at at time zone 'UTC') / 604800)) stored;
create index article_tags_by_week on article_tags (tag_id, week, reactions desc, published_at desc, article_id desc);
