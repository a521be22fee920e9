-- expand

-- The names of accounts that were merged into others. They stay in handles, so nobody else takes them, and their pages
-- lead to the others' pages.
create table retired_names (
  username text primary key,
  user_id  int not null references users on delete cascade
);
create index retired_names_user on retired_names (user_id);
