-- expand

create index concurrently if not exists notifications_unread on notifications (user_id, id desc)
  where read_at is null and withdrawn_at is null;
