-- The images that people have uploaded, which are files, and how much of the disk each of them takes.
-- A file is on the disk before its row is committed, so a row always has its file.
create table uploads (
  name       text primary key check (name ~ '^[0-9a-f]{32}\.(jpg|png|gif|webp|avif)$'),
  user_id    int not null references users on delete cascade,
  bytes      int not null check (bytes > 0),
  created_at timestamptz(3) not null default now()
);

-- Serves the quota.
create index uploads_of_user on uploads (user_id) include (bytes);
