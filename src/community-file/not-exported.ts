/** The record type that holds what is in a table. */
export const EXPORTED: Record<string, string> = {
  settings: "setting",
  users: "user",
  api_keys: "user",
  organizations: "organization",
  organization_members: "organization",
  tags: "tag",
  articles: "article",
  collections: "article",
  retired_paths: "retired_path",
};

/** Tables that no export needs, and why. */
export const NOT_EXPORTED: Record<string, string> = {
  handles: "made from the names of users and organizations",
  published_articles: "made from articles",
  article_tags: "made from articles",
  article_search: "made from articles",
  article_words: "made from articles",
  search_tiers: "made from articles",
  search_words: "counted from articles",
  search_word_changes: "counted from articles",
  counters: "counted from articles",
  events: "of the past: an import must not tell anybody again",
  notifications: "of the past, like the events they come from",
  notification_tasks: "of the last seconds",
  recent_actions: "of the last minutes, for rate limits",
  idempotency_keys: "of the last day, about requests to this one database",
  uploads: "about files, which an export does not hold",
  demo_rows: "says which rows of this one database are the demo's",
  schema_migrations: "about this one database",
};
