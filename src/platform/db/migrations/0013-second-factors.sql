-- expand

create table second_factors (
  user_id        int primary key references users on delete cascade,
  -- As the app of its user has it, in base32. A code is made from it, so that no hash can take its place.
  secret         text not null check (secret ~ '^[A-Z2-7]{32}$'),
  created_at     timestamptz(3) not null,
  -- The last accepted code's 30 seconds, counted from 1970: no code of these or of earlier ones is accepted again.
  last_step      int not null,
  -- The SHA-256 of those that are left.
  recovery_codes bytea[] not null
);

-- How many codes may still be tried to finish a sign-in; null for one that is finished.
alter table sessions add column codes_left smallint check (codes_left >= 0);
