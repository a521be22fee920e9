-- What people are told. The outbox says that something happened to an article; whom to tell is found
-- out a moment later, so that nobody who publishes waits for it.

create table notifications (
  id           bigint generated always as identity primary key,
  user_id      int not null references users on delete cascade,
  kind         text not null check (kind in ('mention', 'article_published')),
  article_id   int not null references articles on delete cascade,
  -- Who caused it; nobody else, where people are told that their own article is published.
  actor_id     int references users on delete cascade,
  created_at   timestamptz(3) not null default now(),
  read_at      timestamptz(3),
  -- Since when it isn't shown any more. The row stays, so that nobody is told a second time.
  withdrawn_at timestamptz(3)
);
-- Whoever is mentioned and follows the author is told once.
create unique index notifications_once on notifications (user_id, article_id)
  where kind in ('mention', 'article_published');
create index notifications_shown on notifications (user_id, id desc) where withdrawn_at is null;
create index notifications_article on notifications (article_id);
create index notifications_actor on notifications (actor_id);

-- What has happened and nobody has been told of yet. No reference to articles: one may be gone already.
create table notification_tasks (
  id         bigint generated always as identity primary key,
  article_id int not null,
  -- Whether it was published for the first time.
  announces  boolean not null default false,
  due_at     timestamptz(3) not null default now()
);
create index notification_tasks_due on notification_tasks (due_at, id);
create index notification_tasks_article on notification_tasks (article_id);

-- By the database itself and in the transaction of the event: there is a task exactly when it happened.
-- Numbers of events can't say how far somebody has read, because they become visible in another order.
create function note_article_event() returns trigger language plpgsql as $$
begin
  insert into notification_tasks (article_id, announces) values (
    (new.payload ->> 'article_id')::int,
    new.type = 'article_published' and not coalesce((new.payload ->> 'again')::boolean, false)
  );
  return null;
end $$;
create trigger events_to_notify after insert on events
  for each row when (
    new.type in ('article_published', 'article_updated', 'article_unpublished', 'article_destroyed')
    -- What happens to a draft is nobody's news.
    and coalesce((new.payload ->> 'published')::boolean, true)
  )
  execute function note_article_event();
