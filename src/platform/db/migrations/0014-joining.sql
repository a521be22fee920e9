-- expand

-- Links by which people join. Of the token only the hash is here.
create table invitations (
  id         int generated always as identity primary key,
  sha256     bytea not null unique check (octet_length(sha256) = 32),
  inviter_id int not null references users on delete cascade,
  -- Whom it is for; null for anyone who has the link.
  address    text,
  note       text not null default '',
  uses_left  int not null check (uses_left >= 0),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index invitations_inviter on invitations (inviter_id);

-- People who wait for the link in a mail or for an admin, and have no account until then.
create table sign_ups (
  id             int generated always as identity primary key,
  username       text not null,
  name           text not null,
  email          text not null,
  -- Whether the link in a mail to the address was used.
  is_confirmed   boolean not null default false,
  password_hash  text not null,
  reason         text not null default '',
  invitation_id  int references invitations on delete cascade,
  -- An IPv4 /24 or an IPv6 /48.
  network        text not null,
  state          text not null check (state in ('unconfirmed', 'applied', 'declined')),
  decline_reason text,
  -- Of the link in the last mail.
  token_sha256   bytea unique check (octet_length(token_sha256) = 32),
  -- Of the page that the browser shows meanwhile.
  page_sha256    bytea not null unique check (octet_length(page_sha256) = 32),
  -- The path to which the link leads.
  next           text not null default '',
  created_at     timestamptz(3) not null,
  decided_at     timestamptz(3),
  check ((state = 'declined') = (decided_at is not null))
);
create unique index sign_ups_username on sign_ups (username) where state <> 'declined';
create index sign_ups_email on sign_ups (lower(email));
create index sign_ups_invitation on sign_ups (invitation_id);

-- Addresses that users have given and not yet proven to be theirs. Several may give the same one, and nobody else sees it.
create table unconfirmed_addresses (
  user_id      int primary key references users on delete cascade,
  address      text not null,
  -- Of the link in the last mail.
  token_sha256 bytea unique check (octet_length(token_sha256) = 32),
  requested_at timestamptz(3) not null
);

-- Addresses that users had, each with a link that takes the change back.
create table former_addresses (
  id           int generated always as identity primary key,
  user_id      int not null references users on delete cascade,
  address      text not null,
  token_sha256 bytea unique check (octet_length(token_sha256) = 32),
  expires_at   timestamptz(3) not null
);
create index former_addresses_user on former_addresses (user_id);

alter table users add column invitation_id int references invitations on delete set null;
