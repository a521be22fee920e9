-- A deleted article is kept for a while, so that an operator can bring it back as it was; its slug
-- stays taken as long.
alter table articles
  add column deleted_at timestamptz(3),
  -- What it was before it was deleted.
  add column deleted_from text check (deleted_from in ('draft', 'scheduled', 'published', 'unpublished')),
  drop constraint articles_state_check,
  add constraint articles_state_check
    check (state in ('draft', 'scheduled', 'published', 'unpublished', 'deleted')),
  drop constraint articles_check,
  add constraint articles_published_at_check
    check (published_at is not null or coalesce(deleted_from, state) = 'draft'),
  add constraint articles_deleted_check
    check ((state = 'deleted') = (deleted_at is not null) and (state = 'deleted') = (deleted_from is not null));
create index articles_deleted on articles (deleted_at) where state = 'deleted';

-- An author's own list: what has no date of publication now stands first, then the newest.
create index articles_own on articles (
  author_id,
  (case when state in ('published', 'scheduled') then published_at end) desc nulls first,
  created_at desc,
  id desc
) where state <> 'deleted';
