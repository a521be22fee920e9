-- What a reader begins to type: names of people, organizations and tags, and titles. In any collation.
create index users_by_username on users (username text_pattern_ops);
create index users_by_name on users (lower(name) text_pattern_ops);
create index organizations_by_username on organizations (username text_pattern_ops);
create index organizations_by_name on organizations (lower(name) text_pattern_ops);
create index tags_by_name on tags (name text_pattern_ops);

drop index article_search_title;
create index article_search_title on article_search (title_key text_pattern_ops);
