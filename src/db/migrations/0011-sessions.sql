-- expand

-- Of the token that a browser holds only the hash is here.
create table sessions (
  id           int generated always as identity primary key,
  sha256       bytea not null unique check (octet_length(sha256) = 32),
  user_id      int not null references users on delete cascade,
  created_at   timestamptz(3) not null,
  seen_at      timestamptz(3) not null,
  -- When a password or a sign-in link was last given.
  confirmed_at timestamptz(3) not null,
  -- An IPv4 /24 or an IPv6 /48.
  network      text not null,
  -- As the browser names itself.
  browser      text not null
);
create index sessions_user on sessions (user_id);
create index sessions_seen on sessions (seen_at);
