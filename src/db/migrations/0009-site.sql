-- What the site looks up beyond the API: people, organizations, comments and listings by words. Their expressions
-- repeat those of the queries.
create index users_text on users
  using gin (to_tsvector('simple', username || ' ' || name || ' ' || coalesce(summary, '')));
create index organizations_text on organizations
  using gin (to_tsvector('simple', username || ' ' || name || ' ' || coalesce(summary, '')));
create index comments_text on comments using gin (to_tsvector('simple', body_markdown));
create index listings_text on listings using gin (to_tsvector('simple', title || ' ' || body_markdown));
