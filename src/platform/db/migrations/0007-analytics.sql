-- expand

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

-- Changes of figures. Writers only append, so that they don't wait for others who write about the same author; the
-- changes are added to the sums every second, and until then by each reader (src/analytics).
create table analytics_changes (
  id              bigint generated always as identity primary key,
  article_id      int not null,
  -- Either somebody becomes an owner of the article, whose figures hold the article's from then on (1), or is one no
  -- more (-1).
  owner_kind      text check (owner_kind in ('user', 'organization')),
  owner_id        int,
  sign            smallint,
  -- Or the article's figures of a day change; null is 0.
  day             date,
  -- Of the views, if there are any.
  referrer        text collate "C",
  views           bigint,
  signed_in_views bigint,
  read_seconds    bigint,
  comments        bigint,
  reactions       bigint,
  likes           bigint,
  readinglists    bigint,
  check (num_nonnulls(owner_kind, owner_id, sign) = case when day is null then 3 else 0 end)
);
-- Serves the figures of one article, and the counts in its author's lists.
create index analytics_changes_article on analytics_changes (article_id);
-- Serve changes of owners.
create index analytics_changes_owner on analytics_changes (owner_kind, owner_id) where owner_id is not null;
create index analytics_changes_owned on analytics_changes (article_id) where owner_id is not null;

-- The figures of an article, and of all published articles of a person or an organization: of a day, of a day by
-- referrer (null for all of them), and of all days (null). Null is 0. Without references: a deleted article takes its
-- figures away as changes.
create table analytics_days (
  kind            text not null,
  subject_id      int not null,
  day             date,
  referrer        text collate "C",
  views           bigint,
  signed_in_views bigint,
  read_seconds    bigint,
  comments        bigint,
  reactions       bigint,
  likes           bigint,
  readinglists    bigint
) with (fillfactor = 80);
-- The number of columns that aren't null tells apart the three sorts of rows, each of which is read in the order of days.
create unique index analytics_days_once on analytics_days
  (kind, subject_id, num_nonnulls(day, referrer), day, referrer) nulls not distinct;

-- Triggers note what several statements change, and cascades (docs/decisions/0023-triggers-for-derived-rows.md). Views
-- are noted by their writers. The old row is null for an insert, the new one for a delete.

-- Before the change, because views go with their article. A row that isn't inserted after all has no figures.
create function note_article_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    with gone as (
      delete from page_views where article_id = old.id returning *
    )
    insert into analytics_changes (article_id, day, referrer, views, signed_in_views, read_seconds)
    select article_id, day, referrer, -sum(views), -sum(signed_in_views), -sum(signed_in_read_seconds)
    from gone group by article_id, day, referrer;
  end if;
  insert into analytics_changes (article_id, owner_kind, owner_id, sign)
  select article_id, kind, owner_id, sum(sign)
  from (values
    (old.id, old.state, 'user', old.author_id, -1), (old.id, old.state, 'organization', old.organization_id, -1),
    (new.id, new.state, 'user', new.author_id, 1), (new.id, new.state, 'organization', new.organization_id, 1)
  ) as owner (article_id, state, kind, owner_id, sign)
  where state = 'published' and owner_id is not null
  group by article_id, kind, owner_id having sum(sign) <> 0;
  return coalesce(new, old);
end $$;
create trigger articles_noted before insert or delete or update of state, author_id, organization_id on articles
  for each row execute function note_article_change();

create function note_reaction_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (article_id, day, reactions, likes, readinglists)
  select article_id, day, sum(change), sum(change) filter (where category = 'like'),
    sum(change) filter (where category = 'readinglist')
  from (values
    (old.article_id, (old.created_at at time zone 'UTC')::date, old.category, -1),
    (new.article_id, (new.created_at at time zone 'UTC')::date, new.category, 1)
  ) as version (article_id, day, category, change)
  where article_id is not null
  group by article_id, day having sum(change) <> 0;
  return null;
end $$;
create trigger reactions_noted after insert or delete or update of created_at on reactions
  for each row execute function note_reaction_change();

-- Comments that are deleted or have no positive score don't count.
create function note_comment_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (article_id, day, comments)
  select article_id, day, sum(change)
  from (values
    (old.article_id, (old.created_at at time zone 'UTC')::date, old.deleted, old.score, -1),
    (new.article_id, (new.created_at at time zone 'UTC')::date, new.deleted, new.score, 1)
  ) as version (article_id, day, deleted, score, change)
  where article_id is not null and not deleted and score > 0
  group by article_id, day having sum(change) <> 0;
  return null;
end $$;
create trigger comments_noted after insert or delete or update of article_id, deleted, score, created_at on comments
  for each row execute function note_comment_change();
