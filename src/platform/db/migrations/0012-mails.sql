-- expand

-- Mails that something has caused, until 30 days after they are sent or have failed. Their texts, and the tokens in
-- these, are made when they are sent.
create table mails (
  id              bigint generated always as identity primary key,
  -- By which the servers on its way recognise a mail that is sent again.
  message_id      uuid not null default gen_random_uuid(),
  kind            text not null,
  user_id         int references users on delete cascade,
  -- Null for the address of the user.
  address         text,
  about           jsonb not null,
  state           text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  -- How many have begun since the mail was last requested.
  attempts        int not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz(3),
  -- The process that sends it holds it until then at most; afterwards any process may take it.
  lease           uuid,
  leased_until    timestamptz(3),
  -- To the last attempt: of the server, or why there was none.
  reply           text check (octet_length(reply) <= 4000),
  created_at      timestamptz(3) not null,
  finished_at     timestamptz(3),
  check (user_id is not null or address is not null),
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'pending') = (finished_at is null)),
  check ((lease is null) = (leased_until is null)),
  check (lease is null or state = 'pending')
);
create index mails_due on mails (next_attempt_at, id) where state = 'pending';
create index mails_finished on mails (finished_at) where state <> 'pending';
create index mails_user on mails (user_id);

-- Kinds of mail that a user has turned on or off.
create table mail_choices (
  user_id int not null references users on delete cascade,
  kind    text not null,
  is_on   boolean not null,
  primary key (user_id, kind)
);

-- Links in mails, each of which turns off one kind for one user. Of the token only the hash is here.
create table unsubscribe_links (
  sha256     bytea primary key check (octet_length(sha256) = 32),
  user_id    int not null references users on delete cascade,
  kind       text not null,
  expires_at timestamptz(3) not null
);
create index unsubscribe_links_user on unsubscribe_links (user_id);
create index unsubscribe_links_expired on unsubscribe_links (expires_at);

-- Browsers in which users have been signed in, by the hash of the browser's name without its version.
create table known_browsers (
  user_id int not null references users on delete cascade,
  sha256  bytea not null check (octet_length(sha256) = 32),
  seen_at timestamptz(3) not null,
  primary key (user_id, sha256)
);

-- Notices about the security of an account, for users whom no mail reaches, and about people who wait to be let in.
alter table notifications add column notice text;
alter table notifications
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check check (
    kind in ('mention', 'article_published', 'follow', 'comment', 'reply', 'webhook_disabled', 'security', 'application')
  ) not valid,
  add constraint notifications_subject_check check (
    num_nonnulls(article_id, comment_id, webhook_endpoint_id, notice) = case kind when 'follow' then 0 else 1 end
    and (kind <> 'webhook_disabled') = (webhook_endpoint_id is null)
    and (kind not in ('security', 'application')) = (notice is null)
  ) not valid;
