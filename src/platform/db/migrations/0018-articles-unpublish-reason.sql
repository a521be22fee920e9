-- expand

-- Why staff unpublished an article, maybe nothing; null for one that its author may publish.
alter table articles add column unpublish_reason text;
