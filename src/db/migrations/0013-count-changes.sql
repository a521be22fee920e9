-- Publications append their changes of the number of published articles instead of updating one row in turn. The server
-- adds them up within about a second (src/articles/counting.ts).
create table count_changes (
  id bigint generated always as identity primary key,
  delta integer not null
);
