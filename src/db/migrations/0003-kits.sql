-- What the community's operators decide; a key without a row has its default.
create table settings (
  key        text primary key,
  value      jsonb not null,
  updated_at timestamptz(3) not null default now()
);

-- Counts that would be dear to take again and again.
create table counters (
  name  text primary key,
  value bigint not null default 0
);
insert into counters (name) values ('published_articles');

-- The outbox: a change and its event are one transaction, so there is an event exactly when the
-- change happened.
create table events (
  id         bigint generated always as identity primary key,
  type       text not null,
  payload    jsonb not null,
  created_at timestamptz(3) not null default now()
);
create index events_age on events (created_at);

-- What people did lately, for limits that are exact over all processes.
create table recent_actions (
  user_id int not null references users on delete cascade,
  action  text not null,
  done_at timestamptz(3) not null
);
create index recent_actions_count on recent_actions (user_id, action, done_at);

-- What the demo community brought along, so that it can be taken away whole.
create table demo_rows (
  kind   text not null check (kind in ('user', 'organization', 'tag')),
  row_id int not null,
  primary key (kind, row_id)
);
