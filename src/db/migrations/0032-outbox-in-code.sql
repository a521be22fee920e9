-- `events.record` inserts the tasks of an event itself.
drop trigger events_to_notify on events;
drop trigger follows_to_notify on events;
drop trigger comments_to_notify on events;
drop trigger events_to_webhooks on events;
drop function note_article_event(), note_follow_event(), note_comment_event(), note_webhook_event();
