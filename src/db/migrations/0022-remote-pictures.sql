-- Pictures of people, organizations and podcasts that came as an address elsewhere. The address stands in profile_image
-- (image_url of a podcast) until the picture has been fetched; then the path of our copy does, and the address is remembered
-- here, for exports.

create table remote_pictures (
  kind    text not null check (kind in ('user', 'organization', 'podcast')),
  id      int not null,
  url     text not null,
  -- The path that stands in place of the address once the picture is here.
  picture text check (picture like '/uploads/%'),
  -- Why it was given up, in a sentence for people.
  failure text check (char_length(failure) <= 500),
  primary key (kind, id),
  check (picture is null or failure is null)
);
-- What was given up, for whoever asks for it again.
create index remote_pictures_given_up on remote_pictures (kind, id) where failure is not null;

-- Whoever writes an address into the column of a picture has it fetched; whoever writes anything else over it ends that.
-- The arguments are the kind and the column.
create function expect_remote_picture() returns trigger language plpgsql as $$
declare
  given    text := to_jsonb(new) ->> tg_argv[1];
  fetching text := tg_argv[0] || '-picture';
begin
  if exists (select from remote_pictures where kind = tg_argv[0] and id = new.id and picture = given) then
    return null;
  end if;
  delete from remote_pictures where kind = tg_argv[0] and id = new.id;
  delete from fetches where kind = fetching and id = new.id;
  if given ~* '^https?:' then
    insert into remote_pictures (kind, id, url) values (tg_argv[0], new.id, given);
    -- One alone at once; of many the others a little later, so that their hosts aren't asked for all of them at once.
    insert into fetches (kind, id, due_at) values (
      fetching, new.id, now() + case
        when exists (select from fetches where kind = fetching and due_at <= now() + interval '10 minutes')
        then random() * interval '10 minutes'
        else interval '0'
      end
    );
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
  for each row when (new.profile_image is not null) execute function expect_remote_picture('user', 'profile_image');
create trigger users_picture_changed after update of profile_image on users
  for each row when (old.profile_image is distinct from new.profile_image)
  execute function expect_remote_picture('user', 'profile_image');
create trigger users_picture_gone after delete on users
  for each row when (old.profile_image is not null) execute function forget_remote_picture('user');

create trigger organizations_picture_given after insert on organizations
  for each row when (new.profile_image is not null) execute function expect_remote_picture('organization', 'profile_image');
create trigger organizations_picture_changed after update of profile_image on organizations
  for each row when (old.profile_image is distinct from new.profile_image)
  execute function expect_remote_picture('organization', 'profile_image');
create trigger organizations_picture_gone after delete on organizations
  for each row when (old.profile_image is not null) execute function forget_remote_picture('organization');

create trigger podcasts_picture_given after insert on podcasts
  for each row when (new.image_url is not null) execute function expect_remote_picture('podcast', 'image_url');
create trigger podcasts_picture_changed after update of image_url on podcasts
  for each row when (old.image_url is distinct from new.image_url)
  execute function expect_remote_picture('podcast', 'image_url');
create trigger podcasts_picture_gone after delete on podcasts
  for each row when (old.image_url is not null) execute function forget_remote_picture('podcast');

-- Those there are already, spread so that their hosts aren't asked for all of them at once.
insert into remote_pictures (kind, id, url)
  select 'user', id, profile_image from users where profile_image ~* '^https?:'
  union all
  select 'organization', id, profile_image from organizations where profile_image ~* '^https?:'
  union all
  select 'podcast', id, image_url from podcasts where image_url ~* '^https?:';
insert into fetches (kind, id, due_at)
  select kind || '-picture', id, now() + random() * interval '6 hours' from remote_pictures;
