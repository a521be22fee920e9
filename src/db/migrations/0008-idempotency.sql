-- What was answered to a request that came with an Idempotency-Key, written in the transaction of
-- its effect: to the same request with the same key the same is answered again, and nothing is done.
create table idempotency_keys (
  user_id     int not null references users on delete cascade,
  key         text not null check (char_length(key) between 1 and 255),
  -- Of the request: its method, address and body.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  status      int not null check (status between 200 and 299),
  headers     jsonb not null,
  body        text not null,
  created_at  timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
