-- expand

create index concurrently if not exists users_registered on users (created_at);
