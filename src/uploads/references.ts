import type { DB } from "../db/tables.ts";

/** Tables in whose rows, whatever the column, an upload may be shown; and why in the others none is. */
const SHOWS_UPLOADS = {
  users: true,
  organizations: true,
  tags: true,
  articles: true,
  podcasts: true,
  podcast_episodes: true,
  comments: true,
  listings: true,
  listing_categories: "names alone",
  collections: "names alone",
  handles: "names alone",
  retired_paths: "paths of articles",
  settings: "lines of text without images",
  api_keys: "nobody sees them",
  organization_members: "numbers alone",
  follows: "numbers alone",
  follower_counts: "numbers alone",
  reactions: "numbers alone",
  notifications: "tells of what has a row of its own",
  outbox: "numbers alone",
  announcements: "numbers alone",
  events: "nobody sees them",
  webhook_endpoints: "addresses of elsewhere",
  webhook_deliveries: "tells of what has a row of its own",
  webhook_previous_secrets: "nobody sees them",
  published_articles: "made from articles",
  article_tags: "made from articles",
  article_search: "made from articles",
  article_words: "made from articles",
  search_tiers: "made from articles",
  search_words: "made from articles",
  search_word_changes: "made from articles",
  counters: "numbers alone",
  recent_actions: "numbers alone",
  idempotency_keys: "answers about what has a row of its own",
  uploads: "says whose an upload is",
  fetches: "says when, not what",
  feed_sources: "addresses of feeds",
  feed_items: "says what of them has become articles",
  remote_pictures: "says where a picture comes from that stands elsewhere",
  demo_rows: "numbers alone",
  page_views: "names of hosts, and numbers",
  page_view_keys: "nobody sees them",
  page_view_visitors: "nobody sees them",
  analytics_changes: "names of hosts, and numbers",
  analytics_moves: "numbers alone",
  analytics_owners: "numbers alone",
  analytics_days: "numbers alone",
  analytics_referrer_days: "names of hosts, and numbers",
  article_views: "numbers alone",
  schema_migrations: "nobody sees them",
} as const satisfies Record<keyof DB, true | string>;

type Reasons = typeof SHOWS_UPLOADS;

export type Showing = { [Table in keyof DB]: Reasons[Table] extends true ? Table : never }[keyof DB];

/** The tables in whose rows an upload may be shown. All number their rows. */
export const SHOWING = (Object.keys(SHOWS_UPLOADS) as (keyof DB)[]).filter(
  (table): table is Showing => SHOWS_UPLOADS[table] === true,
);
