-- expand

create index concurrently if not exists users_invitation on users (invitation_id) where invitation_id is not null;
