-- expand

-- Acts of staff, each written in its transaction. Rows only lose the names of people whose accounts are deleted.
create table staff_log (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default now(),
  actor_kind text not null check (actor_kind in ('user', 'operator', 'job')),
  -- Null for the operator, a job, and a person whose account is deleted.
  actor_id integer references users on delete set null,
  act text not null,
  on_kind text not null,
  on_id integer,
  on_name text not null,
  -- The person whom the act concerns.
  user_id integer references users on delete set null,
  detail text,
  reason text
);
create index staff_log_by_act on staff_log (act, id desc);
create index staff_log_actor on staff_log (actor_id);
create index staff_log_user on staff_log (user_id, id desc);

create table reports (
  id integer generated always as identity primary key,
  created_at timestamptz(3) not null default now(),
  reporter_id integer not null references users on delete cascade,
  kind text not null check (kind in ('article', 'comment', 'user', 'listing')),
  thing_id integer not null,
  author_id integer not null references users on delete cascade,
  reason text not null check (reason in ('spam', 'harassment', 'rules', 'other')),
  text text not null check (char_length(text) <= 1000),
  closed_at timestamptz(3),
  unique (reporter_id, kind, thing_id)
);
create index reports_open on reports (kind, thing_id) where closed_at is null;
create index reports_author on reports (author_id, id desc);

alter table users
  -- Null: for good.
  add column suspended_until timestamptz(3),
  add column suspension_reason text,
  add column spam boolean not null default false,
  add column staff_note text;

-- Why staff hid it, which may be empty. Null where the owner of the page did.
alter table comments add column hidden_reason text;
alter table listings add column hidden_reason text;

alter table notifications add column path text;
alter table notifications
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check check (kind in (
    'mention', 'article_published', 'follow', 'comment', 'reply', 'webhook_disabled', 'security', 'application',
    'moderation'
  )) not valid,
  add constraint notifications_subject_check check (
    num_nonnulls(article_id, comment_id, webhook_endpoint_id, notice) = case kind when 'follow' then 0 else 1 end
    and (kind <> 'webhook_disabled') = (webhook_endpoint_id is null)
    and (kind not in ('security', 'application', 'moderation')) = (notice is null)
  ) not valid;
