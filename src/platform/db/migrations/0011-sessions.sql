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
  -- Whether it was a link: its user may not know the password.
  by_link      boolean not null default false,
  -- An IPv4 /24 or an IPv6 /48.
  network      text not null,
  -- As the browser names itself.
  browser      text not null
);
create index sessions_user on sessions (user_id);
create index sessions_seen on sessions (seen_at);

-- Theme, size and face of texts, as the user has chosen them.
alter table users add column reading text check (reading ~ '^(system|light|dark) (small|medium|large) (serif|sans)$');

-- Links that work once, to sign in as a user or to set the site up. Of the token only the hash is here.
create table one_time_links (
  sha256     bytea primary key check (octet_length(sha256) = 32),
  -- Null for the link that sets the site up.
  user_id    int unique nulls not distinct references users on delete cascade,
  expires_at timestamptz(3) not null
);

-- Of an account or a network, by the hash of its name.
create table sign_in_failures (
  sha256        bytea primary key check (octet_length(sha256) = 32),
  failures      int not null,
  -- The first of them.
  since         timestamptz(3) not null,
  -- Attempts before it are refused.
  blocked_until timestamptz(3) not null
);
