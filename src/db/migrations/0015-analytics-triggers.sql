-- Triggers of each row note the changes of analytics too, for the reason in 0014. The old row is null for an insert,
-- the new one for a delete.

drop trigger page_views_added on page_views;
drop trigger page_views_changed on page_views;
drop trigger page_views_removed on page_views;
drop function note_page_views;
create function note_page_view_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (kind, subject_id, day, referrer, views, signed_in_views, read_seconds)
  select 'article', article_id, day, referrer, sum(views), sum(signed_in), sum(seconds)
  from (values
    (old.article_id, old.day, old.referrer, -old.views, -old.signed_in_views, -old.signed_in_read_seconds),
    (new.article_id, new.day, new.referrer, new.views, new.signed_in_views, new.signed_in_read_seconds)
  ) as versions (article_id, day, referrer, views, signed_in, seconds)
  where article_id is not null
  group by article_id, day, referrer
  having sum(views) <> 0 or sum(signed_in) <> 0 or sum(seconds) <> 0;
  return null;
end $$;
create trigger page_views_noted after insert or update or delete on page_views
  for each row execute function note_page_view_change();

drop trigger reactions_added on reactions;
drop trigger reactions_removed on reactions;
drop function note_reactions;
create or replace function note_reaction_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (kind, subject_id, day, reactions, likes, readinglists)
  select 'article', article_id, day_of(created_at), change,
    change * (category = 'like')::int, change * (category = 'readinglist')::int
  from (values
    (old.article_id, old.created_at, old.category, -1),
    (new.article_id, new.created_at, new.category, 1)
  ) as versions (article_id, created_at, category, change)
  where article_id is not null;
  return null;
end $$;
create trigger reactions_noted after insert or delete on reactions
  for each row execute function note_reaction_change();

drop trigger comments_added on comments;
drop trigger comments_removed on comments;
drop function note_comments;
create trigger comments_noted after insert or delete on comments
  for each row execute function note_comment_change();

drop trigger follows_added_to_analytics on follows;
drop trigger follows_removed_from_analytics on follows;
drop function note_follows;
create or replace function note_follow_change() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (kind, subject_id, day, follows)
  select case when organization_id is null then 'user' else 'organization' end,
    coalesce(organization_id, followed_user_id), day_of(created_at), change
  from (values
    (old.tag_id, old.organization_id, old.followed_user_id, old.created_at, -1),
    (new.tag_id, new.organization_id, new.followed_user_id, new.created_at, 1)
  ) as versions (tag_id, organization_id, followed_user_id, created_at, change)
  where tag_id is null and created_at is not null;
  return null;
end $$;
create trigger follows_noted after insert or delete on follows
  for each row execute function note_follow_change();
