-- One table of what each consumer of the events has still to handle.
create table outbox (
  consumer text not null,
  event_id bigint not null references events on delete cascade,
  -- By the database's clock; later than now for an event whose handling has failed.
  due_at   timestamptz(3) not null default now(),
  primary key (event_id, consumer)
);
create index outbox_due on outbox (consumer, due_at, event_id);

-- Webhooks call it so.
update events set type = 'comment_deleted' where type = 'comment_destroyed';

insert into outbox (consumer, event_id, due_at) select 'webhooks', event_id, due_at from webhook_tasks;

-- A task of notifications names its subject, and means its latest event.
insert into outbox (consumer, event_id, due_at)
select 'notifications', max(events.id), min(due_at)
from notification_tasks as task join events on
  announces = (type = 'comment_created'
    or type = 'article_published' and not coalesce((payload ->> 'again')::boolean, false))
  and case
    when type in ('article_published', 'article_updated', 'article_unpublished', 'article_destroyed')
      then (payload ->> 'article_id')::int = task.article_id
    when type in ('comment_created', 'comment_updated') then (payload ->> 'comment_id')::int = task.comment_id
    when type in ('follow_created', 'follow_destroyed')
      then (payload ->> 'follower_id')::int = task.follower_id and (payload ->> 'user_id')::int = task.followed_id
  end
group by task.id
on conflict do nothing;

drop table webhook_tasks, notification_tasks;

-- The code knows the events that endpoints can subscribe to.
alter table webhook_endpoints drop constraint webhook_endpoints_events_check;
alter table webhook_endpoints add check (cardinality(events) > 0);
