-- expand

-- Links carry tokens that are signed with this key, so that no table keeps them. It is in backups: links of emails work
-- on a restored site.
create table link_key (
  key bytea not null check (octet_length(key) = 32)
);
insert into link_key values (sha256((gen_random_uuid()::text || gen_random_uuid() || gen_random_uuid())::bytea));

-- Part of what the user's last sign-in link signs; null once it is used or ended.
alter table users add column sign_in_link uuid;

-- The version before fills these columns; this one has no hashes of tokens.
alter table invitations alter column sha256 drop not null;
alter table sign_ups alter column page_sha256 drop not null;
