-- When an account is deleted, its comments keep their places so that the answers below them stay where
-- they are: deleted, empty and without an author.
alter table comments
  alter column author_id drop not null,
  add constraint comments_author_check check (author_id is not null or (deleted and body_markdown = ''));
