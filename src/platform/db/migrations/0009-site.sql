-- expand

-- What the site looks up beyond the API: people, organizations, comments and listings by words. Their expressions
-- repeat those of the queries.
create index users_text on users
  using gin (to_tsvector('simple', username || ' ' || name || ' ' || coalesce(summary, '')));
create index organizations_text on organizations
  using gin (to_tsvector('simple', username || ' ' || name || ' ' || coalesce(summary, '')));
create index comments_text on comments using gin (to_tsvector('simple', body_markdown));
create index listings_text on listings using gin (to_tsvector('simple', title || ' ' || body_markdown));

-- What a reader begins to type: names of people, organizations and tags, and titles. In any collation.
create index users_by_username on users (username text_pattern_ops);
create index users_by_name on users (lower(name) text_pattern_ops);
create index organizations_by_username on organizations (username text_pattern_ops);
create index organizations_by_name on organizations (lower(name) text_pattern_ops);
create index tags_by_name on tags (name text_pattern_ops);
