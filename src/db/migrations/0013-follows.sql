-- Who follows whom and what: a person, an organization or a tag, each once.
create table follows (
  id               int generated always as identity primary key,
  follower_id      int not null references users on delete cascade,
  followed_user_id int references users on delete cascade,
  organization_id  int references organizations on delete cascade,
  tag_id           int references tags on delete cascade,
  -- How much it means to the follower.
  points           double precision not null default 1,
  created_at       timestamptz(3) not null default now(),
  check (num_nonnulls(followed_user_id, organization_id, tag_id) = 1),
  check (followed_user_id <> follower_id)
);
-- Followers are told of a publication in the order of their numbers, so these serve that too.
create unique index follows_user_once on follows (followed_user_id, follower_id) where followed_user_id is not null;
create unique index follows_organization_once on follows (organization_id, follower_id) where organization_id is not null;
create unique index follows_tag_once on follows (tag_id, follower_id) where tag_id is not null;
-- The list of a person's followers, whose suspended ones are left out.
create index follows_shown on follows (followed_user_id, created_at, id) include (follower_id)
  where followed_user_id is not null;
create index users_suspended on users (id) where suspended;
-- What somebody follows; the tags come first.
create index follows_follower on follows (follower_id, tag_id);

-- How many follow a person. Not among what else is known of them: who follows waits for those who
-- follow the same person at the same moment, and for nobody who writes an article.
create table follower_counts (
  user_id   int primary key references users on delete cascade,
  followers int not null check (followers >= 0)
) with (fillfactor = 70);

-- Whoever adds follows counts them, an import at its end; what goes is counted by the database itself,
-- because follows also go with their follower.
create function discount_followers() returns trigger language plpgsql as $$
begin
  -- In one order, so that two who count the same people don't wait for each other.
  perform from follower_counts
  where user_id in (select followed_user_id from before_rows) order by user_id for no key update;
  update follower_counts set followers = followers - gone.number
  from (select followed_user_id, count(*) as number from before_rows group by followed_user_id) as gone
  where user_id = gone.followed_user_id;
  return null;
end $$;
create trigger follows_removed after delete on follows
  referencing old table as before_rows for each statement execute function discount_followers();

-- Who follows a tag that becomes another name of another one follows that one.
create function move_follows_of_alias() returns trigger language plpgsql as $$
begin
  -- Of two weights that somebody gave the greater one stays.
  update follows set points = moved.points
  from follows as moved
  where moved.tag_id = new.id and follows.tag_id = new.alias_for and follows.follower_id = moved.follower_id
    and follows.points < moved.points;
  delete from follows using follows as kept
  where follows.tag_id = new.id and kept.tag_id = new.alias_for and kept.follower_id = follows.follower_id;
  update follows set tag_id = new.alias_for where tag_id = new.id;
  return null;
end $$;
create trigger tags_follows after update of alias_for on tags
  for each row when (new.alias_for is distinct from old.alias_for and new.alias_for is not null)
  execute function move_follows_of_alias();

-- People are told that somebody follows them, once.
alter table notifications
  alter column article_id drop not null,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('mention', 'article_published', 'follow')),
  add constraint notifications_subject_check check (article_id is not null or kind = 'follow');
create unique index notifications_follow_once on notifications (user_id, actor_id) where kind = 'follow';

-- A task is about an article, or about a follow.
alter table notification_tasks
  alter column article_id drop not null,
  add column follower_id int,
  add column followed_id int,
  add constraint notification_tasks_subject_check
    check (article_id is not null or (follower_id is not null and followed_id is not null));
create index notification_tasks_follow on notification_tasks (follower_id, followed_id) where follower_id is not null;

create function note_follow_event() returns trigger language plpgsql as $$
begin
  insert into notification_tasks (follower_id, followed_id)
  values ((new.payload ->> 'follower_id')::int, (new.payload ->> 'user_id')::int);
  return null;
end $$;
create trigger follows_to_notify after insert on events
  for each row when (new.type in ('follow_created', 'follow_destroyed') and new.payload ? 'user_id')
  execute function note_follow_event();

-- Publications that followers are being told of, a few at a time, by their numbers. One whose article
-- isn't published now waits until it is again.
create table announcements (
  article_id int primary key references articles on delete cascade,
  told_up_to int not null default 0,
  due_at     timestamptz(3) not null default now()
);
create index announcements_due on announcements (due_at);
