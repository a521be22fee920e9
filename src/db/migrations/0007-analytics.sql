-- Views of articles with their referrers, and the figures that authors see of them.

-- Views of an article on a day, from one referring host. `user_id` is a signed-in person whose reading time is
-- known; all others are counted together in the row without one.
create table page_views (
  article_id             int not null references articles on delete cascade,
  day                    date not null,
  -- A host; empty without a referrer. One order everywhere, so that every copy of a site exports alike.
  referrer               text collate "C" not null default '' check (char_length(referrer) <= 253),
  user_id                int references users,
  views                  bigint not null check (views > 0),
  -- Of one view.
  read_time_seconds      int not null default 0 check (read_time_seconds >= 0),
  -- The views with a signed-in person's reading time, and the sum of these times. In rows without a person they
  -- come from people who are forgotten.
  signed_in_views        bigint not null default 0,
  signed_in_read_seconds bigint not null default 0 check (signed_in_read_seconds >= 0),
  check (signed_in_views between 0 and views),
  check (user_id is null or signed_in_views = views)
);
-- Decides what is one row, and is the order of exports.
create unique index page_views_once on page_views (article_id, day, referrer, (coalesce(user_id, 0)));
-- Serves the forgetting of people after a time.
create index page_views_named on page_views (day) where user_id is not null;
-- Serves the forgetting of a person who is deleted.
create index page_views_user on page_views (user_id) where user_id is not null;

-- Distinguishes the visitors of a day while it lasts: a hash of the article and its reader, with a random key that
-- is deleted after the day, so that the reader can't be found out.
create table page_view_keys (
  day date primary key,
  key bytea not null check (octet_length(key) = 32)
);
create table page_view_visitors (
  day     date not null references page_view_keys on delete cascade,
  visitor bytea not null,
  primary key (day, visitor)
);

-- Changes of the figures. Writers only append, so that they don't wait for others who write about the same author;
-- the changes are added to the sums every second, and until then by each reader (src/analytics).
create table analytics_changes (
  id              bigint generated always as identity primary key,
  kind            text not null check (kind in ('article', 'user', 'organization')),
  subject_id      int not null,
  day             date not null,
  -- Of the views, if there are any.
  referrer        text collate "C",
  views           bigint not null default 0,
  signed_in_views bigint not null default 0,
  read_seconds    bigint not null default 0,
  comments        bigint not null default 0,
  follows         bigint not null default 0,
  reactions       bigint not null default 0,
  likes           bigint not null default 0,
  readinglists    bigint not null default 0
);
-- Serves the figures of one article, and the counts in its author's lists.
create index analytics_changes_subject on analytics_changes (kind, subject_id);

-- Published articles that may have a new owner or none; the figures of an article move with it.
create table analytics_moves (
  id         bigint generated always as identity primary key,
  article_id int not null
);

-- The owners whose sums hold the article's.
create table analytics_owners (
  article_id      int primary key,
  author_id       int not null,
  organization_id int
);

-- The figures of a day: of an article, and of all published articles of a person or an organization. Without
-- references: a deleted row takes its figures away as changes.
create table analytics_days (
  kind            text not null,
  subject_id      int not null,
  day             date not null,
  views           bigint not null,
  signed_in_views bigint not null,
  read_seconds    bigint not null,
  comments        bigint not null,
  follows         bigint not null,
  reactions       bigint not null,
  likes           bigint not null,
  readinglists    bigint not null,
  -- Serves totals and days alike.
  primary key (kind, subject_id, day)
) with (fillfactor = 80);

-- Where views came from.
create table analytics_referrer_days (
  kind       text not null,
  subject_id int not null,
  day        date not null,
  referrer   text collate "C" not null,
  views      bigint not null,
  primary key (kind, subject_id, day, referrer)
) with (fillfactor = 80);

-- All views of an article, for its author's lists.
create table article_views (
  article_id int primary key,
  views      bigint not null
) with (fillfactor = 80);

-- Triggers of each row note the changes, for the reason in 0002. The old row is null for an insert, the new one for a
-- delete.
create function note_page_view_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (kind, subject_id, day, referrer, views, signed_in_views, read_seconds)
  select 'article', article_id, day, referrer, sum(views), sum(signed_in), sum(seconds)
  from (values
    (old.article_id, old.day, old.referrer, -old.views, -old.signed_in_views, -old.signed_in_read_seconds),
    (new.article_id, new.day, new.referrer, new.views, new.signed_in_views, new.signed_in_read_seconds)
  ) as versions (article_id, day, referrer, views, signed_in, seconds)
  where article_id is not null
  group by article_id, day, referrer
  having sum(views) <> 0 or sum(signed_in) <> 0 or sum(seconds) <> 0;
  return null;
end $$;
create trigger page_views_noted after insert or update or delete on page_views
  for each row execute function note_page_view_change();

-- A view stays when the person is deleted.
create function forget_viewer() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from page_views where user_id = old.id returning *
  )
  insert into page_views as present
    (article_id, day, referrer, views, read_time_seconds, signed_in_views, signed_in_read_seconds)
  select article_id, day, referrer, views, read_time_seconds, signed_in_views, signed_in_read_seconds
  from gone order by article_id, day, referrer
  on conflict (article_id, day, referrer, (coalesce(user_id, 0))) do update set
    views = present.views + excluded.views,
    signed_in_views = present.signed_in_views + excluded.signed_in_views,
    signed_in_read_seconds = present.signed_in_read_seconds + excluded.signed_in_read_seconds;
  return old;
end $$;
create trigger users_views before delete on users for each row execute function forget_viewer();

-- The day of the figures that a moment belongs to.
create function day_of(moment timestamptz) returns date language sql immutable parallel safe
  return (moment at time zone 'UTC')::date;

create function note_reaction_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (kind, subject_id, day, reactions, likes, readinglists)
  select 'article', article_id, day_of(created_at), change,
    change * (category = 'like')::int, change * (category = 'readinglist')::int
  from (values
    (old.article_id, old.created_at, old.category, -1),
    (new.article_id, new.created_at, new.category, 1)
  ) as versions (article_id, created_at, category, change)
  where article_id is not null;
  return null;
end $$;
create trigger reactions_noted after insert or delete on reactions
  for each row execute function note_reaction_change();
create trigger reactions_changed after update of created_at on reactions
  for each row when (new.article_id is not null and day_of(old.created_at) <> day_of(new.created_at))
  execute function note_reaction_change();

-- Comments that are deleted or have no positive score don't count.
create function counts_in_analytics(deleted boolean, score int) returns boolean language sql immutable parallel safe
  return not deleted and score > 0;

create function note_comment_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (kind, subject_id, day, comments)
  select 'article', article_id, day_of(created_at), change
  from (values
    (old.article_id, old.created_at, old.deleted, old.score, -1),
    (new.article_id, new.created_at, new.deleted, new.score, 1)
  ) as versions (article_id, created_at, deleted, score, change)
  where article_id is not null and counts_in_analytics(deleted, score);
  return null;
end $$;
create trigger comments_noted after insert or delete on comments
  for each row execute function note_comment_change();
create trigger comments_changed after update on comments
  for each row when (
    counts_in_analytics(old.deleted, old.score) <> counts_in_analytics(new.deleted, new.score)
    or old.created_at <> new.created_at or old.article_id is distinct from new.article_id
  )
  execute function note_comment_change();

create function note_follow_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (kind, subject_id, day, follows)
  select case when organization_id is null then 'user' else 'organization' end,
    coalesce(organization_id, followed_user_id), day_of(created_at), change
  from (values
    (old.tag_id, old.organization_id, old.followed_user_id, old.created_at, -1),
    (new.tag_id, new.organization_id, new.followed_user_id, new.created_at, 1)
  ) as versions (tag_id, organization_id, followed_user_id, created_at, change)
  where tag_id is null and created_at is not null;
  return null;
end $$;
create trigger follows_noted after insert or delete on follows
  for each row execute function note_follow_change();
create trigger follows_changed after update of created_at on follows
  for each row when (new.tag_id is null and day_of(old.created_at) <> day_of(new.created_at))
  execute function note_follow_change();

create function note_published_article() returns trigger language plpgsql as $$
begin
  insert into analytics_moves (article_id) values (coalesce(new.article_id, old.article_id));
  return null;
end $$;
create trigger published_articles_noted after insert or delete on published_articles
  for each row execute function note_published_article();
create trigger published_articles_moved after update of author_id, organization_id on published_articles
  for each row
  when (old.author_id <> new.author_id or old.organization_id is distinct from new.organization_id)
  execute function note_published_article();
