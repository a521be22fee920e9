-- expand

create index concurrently if not exists notifications_unread_first
  on notifications (user_id, (read_at is null) desc, id desc) where withdrawn_at is null;
