-- expand

-- What is said of an item that became an article.
alter table feed_items add column remark text;
