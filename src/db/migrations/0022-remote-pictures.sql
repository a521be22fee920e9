-- Pictures of people and organizations that came as an address elsewhere. The address stands in profile_image until the
-- picture has been fetched; then the path of our copy does, and the address is remembered here, for exports.

create table remote_pictures (
  kind    text not null check (kind in ('user', 'organization')),
  id      int not null,
  url     text not null,
  -- The path that stands in profile_image once the picture is here.
  picture text check (picture like '/uploads/%'),
  -- Why it was given up, in a sentence for people.
  failure text check (char_length(failure) <= 500),
  primary key (kind, id),
  check (picture is null or failure is null)
);
-- What was given up, for whoever asks for it again.
create index remote_pictures_given_up on remote_pictures (kind, id) where failure is not null;

-- Whoever writes an address into profile_image has it fetched; whoever writes anything else over it ends that.
create function expect_remote_picture() returns trigger language plpgsql as $$
begin
  if exists (
    select from remote_pictures where kind = tg_argv[0] and id = new.id and picture = new.profile_image
  ) then
    return null;
  end if;
  delete from remote_pictures where kind = tg_argv[0] and id = new.id;
  delete from fetches where kind = tg_argv[0] || '-picture' and id = new.id;
  if new.profile_image ~* '^https?:' then
    insert into remote_pictures (kind, id, url) values (tg_argv[0], new.id, new.profile_image);
    insert into fetches (kind, id, due_at) values (tg_argv[0] || '-picture', new.id, now());
  end if;
  return null;
end $$;

create function forget_remote_picture() returns trigger language plpgsql as $$
begin
  delete from remote_pictures where kind = tg_argv[0] and id = old.id;
  delete from fetches where kind = tg_argv[0] || '-picture' and id = old.id;
  return null;
end $$;

create trigger users_picture_given after insert on users
  for each row when (new.profile_image is not null) execute function expect_remote_picture('user');
create trigger users_picture_changed after update of profile_image on users
  for each row when (old.profile_image is distinct from new.profile_image)
  execute function expect_remote_picture('user');
create trigger users_picture_gone after delete on users
  for each row when (old.profile_image is not null) execute function forget_remote_picture('user');

create trigger organizations_picture_given after insert on organizations
  for each row when (new.profile_image is not null) execute function expect_remote_picture('organization');
create trigger organizations_picture_changed after update of profile_image on organizations
  for each row when (old.profile_image is distinct from new.profile_image)
  execute function expect_remote_picture('organization');
create trigger organizations_picture_gone after delete on organizations
  for each row when (old.profile_image is not null) execute function forget_remote_picture('organization');

-- Those there are already, spread so that their hosts aren't asked for all of them at once.
insert into remote_pictures (kind, id, url)
  select 'user', id, profile_image from users where profile_image ~* '^https?:'
  union all
  select 'organization', id, profile_image from organizations where profile_image ~* '^https?:';
insert into fetches (kind, id, due_at)
  select kind || '-picture', id, now() + random() * interval '6 hours' from remote_pictures;
