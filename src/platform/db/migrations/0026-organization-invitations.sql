-- expand

-- People who are asked to join an organization, until they accept or decline.
create table organization_invitations (
  organization_id int not null references organizations on delete cascade,
  user_id         int not null references users on delete cascade,
  created_at      timestamptz(3) not null,
  primary key (organization_id, user_id)
);
create index organization_invitations_user on organization_invitations (user_id);
