-- Written by `npm run generate` from a migrated database; to be read, not run.

create table analytics_changes (
  id bigint not null identity,
  article_id integer not null,
  owner_kind text,
  owner_id integer,
  sign smallint,
  day date,
  referrer text,
  views bigint,
  signed_in_views bigint,
  read_seconds bigint,
  comments bigint,
  reactions bigint,
  likes bigint,
  readinglists bigint
);

create table analytics_days (
  kind text not null,
  subject_id integer not null,
  day date,
  referrer text,
  views bigint,
  signed_in_views bigint,
  read_seconds bigint,
  comments bigint,
  reactions bigint,
  likes bigint,
  readinglists bigint
);

create table announcements (
  article_id integer not null,
  told_up_to integer not null default 0,
  due_at timestamp(3) with time zone not null default now()
);

create table api_keys (
  id integer not null identity,
  user_id integer not null,
  sha256 bytea not null,
  hint text,
  description text not null,
  read_only boolean not null default false,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now()
);

create table article_tags (
  tag_id integer not null,
  article_id integer not null,
  published_at timestamp(3) with time zone not null,
  week integer not null generated as floor((EXTRACT(epoch FROM (published_at AT TIME ZONE 'UTC'::text)) / (604800)::numeric)),
  reactions integer not null,
  hotness integer not null
);

create table article_words (
  article_id integer not null,
  words text[] not null
);

create table articles (
  id integer not null identity,
  author_id integer not null,
  organization_id integer,
  collection_id integer,
  slug text not null,
  title text not null,
  description text not null,
  body_markdown text not null,
  body_html text not null,
  renderer_version smallint not null,
  tag_list text[] not null default '{}'::text[],
  canonical_url text,
  main_image text,
  video_source_url text,
  video_thumbnail_url text,
  video_duration_seconds integer,
  reading_time_minutes integer not null default 0,
  state text not null,
  published_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  edited_at timestamp(3) with time zone,
  crossposted_at timestamp(3) with time zone,
  last_comment_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  deleted_from text,
  comments_count integer not null default 0,
  reactions_count integer not null default 0,
  imported_reactions_count integer not null default 0,
  public_reactions_count integer not null generated as (reactions_count + imported_reactions_count),
  imported_page_views_count integer not null default 0,
  points integer not null default 0,
  score integer not null generated as ((points + imported_reactions_count) + reactions_count),
  version bigint not null default nextval('article_versions'::regclass),
  page_html text,
  contents text not null default '[]'::text,
  language text,
  excerpt text,
  unpublish_reason text
);

create table collections (
  id integer not null identity,
  user_id integer not null,
  slug text not null
);

create table comments (
  id integer not null identity,
  article_id integer,
  episode_id integer,
  parent_id integer,
  root_id integer not null,
  author_id integer,
  body_markdown text not null,
  body_html text not null,
  renderer_version smallint not null,
  deleted boolean not null default false,
  hidden boolean not null default false,
  points integer not null default 1,
  reactions_count integer not null default 0,
  score integer not null generated as (points + reactions_count),
  created_at timestamp(3) with time zone not null default now(),
  edited_at timestamp(3) with time zone,
  hidden_reason text
);

create table demo_rows (
  kind text not null,
  row_id integer not null
);

create table events (
  id bigint not null identity,
  type text not null,
  payload jsonb not null,
  created_at timestamp(3) with time zone not null default now()
);

create table feed_items (
  id integer not null identity,
  feed_id integer not null,
  marks text[] not null,
  title text not null,
  article_id integer,
  skipped text,
  seen_at timestamp(3) with time zone not null default now(),
  remark text
);

create table feed_sources (
  id integer not null identity,
  user_id integer not null,
  url text not null,
  publish boolean not null default false,
  created_at timestamp(3) with time zone not null default now()
);

create table fetches (
  kind text not null,
  id integer not null,
  due_at timestamp(3) with time zone not null,
  lease uuid,
  leased_until timestamp(3) with time zone,
  etag text,
  last_modified text,
  fetched_at timestamp(3) with time zone,
  succeeded_at timestamp(3) with time zone,
  failures integer not null default 0,
  failure text
);

create table follows (
  id integer not null identity,
  follower_id integer not null,
  followed_user_id integer,
  organization_id integer,
  tag_id integer,
  points double precision not null default 1,
  created_at timestamp(3) with time zone not null default now()
);

create table handles (
  username text not null,
  kind text not null
);

create table idempotency_keys (
  user_id integer not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  headers jsonb not null,
  body text not null,
  created_at timestamp(3) with time zone not null default now()
);

create table invitations (
  id integer not null identity,
  inviter_id integer not null,
  address text,
  note text not null default ''::text,
  uses_left integer not null,
  expires_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null
);

create table link_key (
  key bytea not null
);

create table listing_categories (
  id integer not null identity,
  slug text not null,
  name text not null,
  "position" integer not null default 0,
  standard boolean not null default false
);

create table listings (
  id integer not null identity,
  author_id integer not null,
  organization_id integer,
  category_id integer not null,
  slug text not null,
  title text not null,
  body_markdown text not null,
  body_html text not null,
  renderer_version smallint not null,
  tag_list text[] not null default '{}'::text[],
  location text,
  published boolean not null,
  expires_at timestamp(3) with time zone,
  bumped_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null default now(),
  hidden_reason text
);

create table mail_choices (
  user_id integer not null,
  kind text not null,
  is_on boolean not null
);

create table mails (
  id bigint not null identity,
  message_id uuid not null default gen_random_uuid(),
  kind text not null,
  user_id integer,
  address text,
  about jsonb not null,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp(3) with time zone,
  lease uuid,
  leased_until timestamp(3) with time zone,
  reply text,
  created_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone
);

create table notifications (
  id bigint not null identity,
  user_id integer not null,
  kind text not null,
  article_id integer,
  comment_id integer,
  webhook_endpoint_id integer,
  actor_id integer,
  created_at timestamp(3) with time zone not null default now(),
  read_at timestamp(3) with time zone,
  withdrawn_at timestamp(3) with time zone,
  notice text,
  path text
);

create table organization_invitations (
  organization_id integer not null,
  user_id integer not null,
  created_at timestamp(3) with time zone not null
);

create table organization_members (
  organization_id integer not null,
  user_id integer not null,
  role text not null
);

create table organizations (
  id integer not null identity,
  username text not null,
  kind text not null default 'organization'::text,
  name text not null,
  summary text,
  location text,
  url text,
  microblog_username text,
  codehost_username text,
  tech_stack text,
  tag_line text,
  story text,
  profile_image text,
  created_at timestamp(3) with time zone not null default now()
);

create table outbox (
  consumer text not null,
  event_id bigint not null,
  due_at timestamp(3) with time zone not null default now()
);

create table page_view_keys (
  day date not null,
  key bytea not null
);

create table page_view_visitors (
  day date not null,
  visitor bytea not null
);

create table page_views (
  article_id integer not null,
  day date not null,
  referrer text not null default ''::text,
  user_id integer,
  views bigint not null,
  read_time_seconds integer not null default 0,
  signed_in_views bigint not null default 0,
  signed_in_read_seconds bigint not null default 0
);

create table podcast_episodes (
  id integer not null identity,
  podcast_id integer not null,
  slug text not null,
  guid text,
  title text not null,
  media_url text not null,
  summary text,
  image_url text,
  published_at timestamp(3) with time zone,
  duration_seconds integer,
  reachable boolean not null default true
);

create table podcasts (
  id integer not null identity,
  slug text not null,
  kind text not null default 'podcast'::text,
  owner_id integer,
  title text not null,
  description text,
  image_url text,
  website_url text,
  feed_url text,
  feed_gone text,
  published boolean not null default true
);

create table published_articles (
  article_id integer not null,
  author_id integer not null,
  organization_id integer,
  collection_id integer,
  published_at timestamp(3) with time zone not null,
  week integer not null generated as floor((EXTRACT(epoch FROM (published_at AT TIME ZONE 'UTC'::text)) / (604800)::numeric)),
  fresh_from timestamp(3) with time zone not null,
  reactions integer not null,
  score integer not null,
  hotness integer not null,
  has_video boolean not null default false,
  version bigint not null
);

create table published_counts (
  id bigint not null identity,
  delta integer not null
);

create table reactions (
  id integer not null identity,
  user_id integer not null,
  article_id integer,
  comment_id integer,
  category text not null,
  status text not null default 'valid'::text,
  created_at timestamp(3) with time zone not null default now()
);

create table recent_actions (
  user_id integer not null,
  action text not null,
  done_at timestamp(3) with time zone not null
);

create table remote_pictures (
  kind text not null,
  id integer not null,
  url text not null,
  picture text,
  failure text
);

create table reports (
  id integer not null identity,
  created_at timestamp(3) with time zone not null default now(),
  reporter_id integer not null,
  kind text not null,
  thing_id integer not null,
  author_id integer not null,
  reason text not null,
  text text not null,
  closed_at timestamp(3) with time zone
);

create table retired_names (
  username text not null,
  user_id integer not null
);

create table retired_paths (
  path text not null,
  article_id integer not null
);

create table schema_migrations (
  name text not null,
  checksum text not null,
  kind text not null,
  ran_at timestamp(3) with time zone not null default now()
);

create table search_changes (
  article_id integer not null,
  has_text boolean not null,
  changed_in xid8 not null default pg_current_xact_id(),
  noted_at timestamp with time zone not null default now()
);

create table search_rows (
  article_id integer not null,
  search_version smallint not null,
  title_key text not null,
  head tsvector not null,
  words tsvector not null
);

create table search_word_changes (
  id bigint not null identity,
  words text[] not null,
  delta integer not null
);

create table search_words (
  word text not null,
  articles_count integer not null,
  changed_in xid8 not null default pg_current_xact_id()
);

create table second_factors (
  user_id integer not null,
  secret text not null,
  created_at timestamp(3) with time zone not null,
  last_step integer not null,
  recovery_codes bytea[] not null
);

create table sessions (
  id integer not null identity,
  sha256 bytea not null,
  user_id integer not null,
  created_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  confirmed_at timestamp(3) with time zone not null,
  by_link boolean not null default false,
  network text not null,
  browser text not null,
  codes_left smallint
);

create table settings (
  key text not null,
  value jsonb not null,
  updated_at timestamp(3) with time zone not null default now()
);

create table sign_in_failures (
  sha256 bytea not null,
  failures integer not null,
  since timestamp(3) with time zone not null,
  blocked_until timestamp(3) with time zone not null
);

create table sign_ups (
  id integer not null identity,
  username text not null,
  name text not null,
  email text not null,
  password_hash text not null,
  reason text not null default ''::text,
  network text not null,
  state text not null,
  decline_reason text,
  created_at timestamp(3) with time zone not null,
  decided_at timestamp(3) with time zone
);

create table staff_log (
  id bigint not null identity,
  created_at timestamp(3) with time zone not null default now(),
  actor_kind text not null,
  actor_id integer,
  act text not null,
  on_kind text not null,
  on_id integer,
  on_name text not null,
  user_id integer,
  detail text,
  reason text
);

create table tags (
  id integer not null identity,
  name text not null,
  bg_color_hex text,
  text_color_hex text,
  short_summary text,
  alias_for integer,
  articles_count integer not null default 0
);

create table unconfirmed_addresses (
  user_id integer not null,
  address text not null,
  requested_at timestamp(3) with time zone not null
);

create table uploads (
  name text not null,
  user_id integer not null,
  bytes integer not null,
  created_at timestamp(3) with time zone not null default now()
);

create table users (
  id integer not null identity,
  username text not null,
  kind text not null default 'user'::text,
  name text not null,
  email text,
  role text not null default 'member'::text,
  suspended boolean not null default false,
  password_hash text,
  summary text,
  location text,
  website_url text,
  microblog_username text,
  codehost_username text,
  profile_image text,
  origin text not null default 'operator'::text,
  created_at timestamp(3) with time zone not null default now(),
  reading text,
  invitation_id integer,
  sign_in_link uuid,
  suspended_until timestamp(3) with time zone,
  suspension_reason text,
  spam boolean not null default false,
  staff_note text
);

create table webhook_deliveries (
  id bigint not null identity,
  endpoint_id integer not null,
  event_id bigint,
  webhook_id text not null,
  event text not null,
  payload text not null,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  response_status integer,
  response_beginning text,
  failure text,
  duration_ms integer,
  next_attempt_at timestamp(3) with time zone,
  lease uuid,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  finished_at timestamp(3) with time zone
);

create table webhook_endpoints (
  id integer not null identity,
  user_id integer not null,
  source text not null,
  target_url text not null,
  events text[] not null,
  secret text not null,
  after_event bigint not null default nextval('events_id_seq'::regclass),
  created_at timestamp(3) with time zone not null default now(),
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  failing_since timestamp(3) with time zone,
  attempted_at timestamp(3) with time zone
);

create table webhook_previous_secrets (
  endpoint_id integer not null,
  secret text not null,
  valid_until timestamp(3) with time zone not null
);

alter table analytics_changes add constraint analytics_changes_check CHECK ((num_nonnulls(owner_kind, owner_id, sign) =
CASE
    WHEN (day IS NULL) THEN 3
    ELSE 0
END));
alter table analytics_changes add constraint analytics_changes_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['user'::text, 'organization'::text])));
alter table analytics_changes add constraint analytics_changes_pkey PRIMARY KEY (id);
alter table announcements add constraint announcements_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE CASCADE;
alter table announcements add constraint announcements_pkey PRIMARY KEY (article_id);
alter table api_keys add constraint api_keys_description_check CHECK (((char_length(description) >= 1) AND (char_length(description) <= 300)));
alter table api_keys add constraint api_keys_pkey PRIMARY KEY (id);
alter table api_keys add constraint api_keys_sha256_check CHECK ((octet_length(sha256) = 32));
alter table api_keys add constraint api_keys_sha256_key UNIQUE (sha256);
alter table api_keys add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table article_tags add constraint article_tags_article_id_fkey FOREIGN KEY (article_id) REFERENCES published_articles(article_id) ON DELETE CASCADE;
alter table article_tags add constraint article_tags_pkey PRIMARY KEY (tag_id, article_id);
alter table article_tags add constraint article_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;
alter table article_words add constraint article_words_article_id_fkey FOREIGN KEY (article_id) REFERENCES published_articles(article_id) ON DELETE CASCADE;
alter table article_words add constraint article_words_pkey PRIMARY KEY (article_id);
alter table articles add constraint articles_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE;
alter table articles add constraint articles_body_markdown_check CHECK ((octet_length(body_markdown) <= 819200));
alter table articles add constraint articles_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE SET NULL;
alter table articles add constraint articles_comments_count_check CHECK ((comments_count >= 0));
alter table articles add constraint articles_deleted_check CHECK ((((state = 'deleted'::text) = (deleted_at IS NOT NULL)) AND ((state = 'deleted'::text) = (deleted_from IS NOT NULL))));
alter table articles add constraint articles_deleted_from_check CHECK ((deleted_from = ANY (ARRAY['draft'::text, 'scheduled'::text, 'published'::text, 'unpublished'::text])));
alter table articles add constraint articles_imported_page_views_count_check CHECK ((imported_page_views_count >= 0));
alter table articles add constraint articles_imported_reactions_count_check CHECK ((imported_reactions_count >= 0));
alter table articles add constraint articles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE SET NULL;
alter table articles add constraint articles_pkey PRIMARY KEY (id);
alter table articles add constraint articles_published_at_check CHECK (((published_at IS NOT NULL) OR (COALESCE(deleted_from, state) = 'draft'::text)));
alter table articles add constraint articles_reactions_count_check CHECK ((reactions_count >= 0));
alter table articles add constraint articles_slug_check CHECK (((slug ~ '^[0-9a-z_-]{1,255}$'::text) AND (slug !~ '^[0-9]+$'::text)));
alter table articles add constraint articles_slug_key UNIQUE (slug);
alter table articles add constraint articles_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'published'::text, 'unpublished'::text, 'deleted'::text])));
alter table articles add constraint articles_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 128)));
alter table articles add constraint articles_video_duration_seconds_check CHECK ((video_duration_seconds >= 0));
alter table collections add constraint collections_pkey PRIMARY KEY (id);
alter table collections add constraint collections_slug_check CHECK (((char_length(slug) >= 1) AND (char_length(slug) <= 200)));
alter table collections add constraint collections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table collections add constraint collections_user_id_slug_key UNIQUE (user_id, slug);
alter table comments add constraint comments_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE CASCADE;
alter table comments add constraint comments_author_check CHECK (((author_id IS NOT NULL) OR (deleted AND (body_markdown = ''::text))));
alter table comments add constraint comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE;
alter table comments add constraint comments_body_markdown_check CHECK ((char_length(body_markdown) <= 25000));
alter table comments add constraint comments_check CHECK ((num_nonnulls(article_id, episode_id) = 1));
alter table comments add constraint comments_check1 CHECK (((parent_id IS NULL) = (root_id = id)));
alter table comments add constraint comments_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES podcast_episodes(id) ON DELETE CASCADE;
alter table comments add constraint comments_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES comments(id) ON DELETE CASCADE;
alter table comments add constraint comments_pkey PRIMARY KEY (id);
alter table comments add constraint comments_reactions_count_check CHECK ((reactions_count >= 0));
alter table demo_rows add constraint demo_rows_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'organization'::text, 'tag'::text, 'podcast'::text])));
alter table demo_rows add constraint demo_rows_pkey PRIMARY KEY (kind, row_id);
alter table events add constraint events_pkey PRIMARY KEY (id);
alter table feed_items add constraint feed_items_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE SET NULL;
alter table feed_items add constraint feed_items_check CHECK (((article_id IS NULL) OR (skipped IS NULL)));
alter table feed_items add constraint feed_items_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feed_sources(id) ON DELETE CASCADE;
alter table feed_items add constraint feed_items_marks_check CHECK (((cardinality(marks) >= 1) AND (cardinality(marks) <= 12)));
alter table feed_items add constraint feed_items_pkey PRIMARY KEY (id);
alter table feed_items add constraint feed_items_skipped_check CHECK ((char_length(skipped) <= 500));
alter table feed_items add constraint feed_items_title_check CHECK ((char_length(title) <= 200));
alter table feed_sources add constraint feed_sources_pkey PRIMARY KEY (id);
alter table feed_sources add constraint feed_sources_url_check CHECK (((octet_length(url) >= 1) AND (octet_length(url) <= 2000)));
alter table feed_sources add constraint feed_sources_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table feed_sources add constraint feed_sources_user_id_url_key UNIQUE (user_id, url);
alter table fetches add constraint fetches_check CHECK (((lease IS NULL) = (leased_until IS NULL)));
alter table fetches add constraint fetches_check1 CHECK (((failures = 0) = (failure IS NULL)));
alter table fetches add constraint fetches_etag_check CHECK ((char_length(etag) <= 1000));
alter table fetches add constraint fetches_failure_check CHECK ((char_length(failure) <= 500));
alter table fetches add constraint fetches_failures_check CHECK ((failures >= 0));
alter table fetches add constraint fetches_kind_check CHECK ((kind ~ '^[a-z][a-z-]{0,39}$'::text));
alter table fetches add constraint fetches_last_modified_check CHECK ((char_length(last_modified) <= 200));
alter table fetches add constraint fetches_pkey PRIMARY KEY (kind, id);
alter table follows add constraint follows_check CHECK ((num_nonnulls(followed_user_id, organization_id, tag_id) = 1));
alter table follows add constraint follows_check1 CHECK ((followed_user_id <> follower_id));
alter table follows add constraint follows_followed_user_id_fkey FOREIGN KEY (followed_user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table follows add constraint follows_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES users(id) ON DELETE CASCADE;
alter table follows add constraint follows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table follows add constraint follows_pkey PRIMARY KEY (id);
alter table follows add constraint follows_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;
alter table handles add constraint handles_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'organization'::text, 'podcast'::text])));
alter table handles add constraint handles_pkey PRIMARY KEY (username);
alter table handles add constraint handles_username_check CHECK ((username ~
CASE kind
    WHEN 'podcast'::text THEN '^[0-9a-z_-]{2,100}$'::text
    ELSE '^[a-z0-9_]{2,30}$'::text
END));
alter table handles add constraint handles_username_kind_key UNIQUE (username, kind);
alter table idempotency_keys add constraint idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32));
alter table idempotency_keys add constraint idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)));
alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (user_id, key);
alter table idempotency_keys add constraint idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 299)));
alter table idempotency_keys add constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table invitations add constraint invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES users(id) ON DELETE CASCADE;
alter table invitations add constraint invitations_pkey PRIMARY KEY (id);
alter table invitations add constraint invitations_uses_left_check CHECK ((uses_left >= 0));
alter table link_key add constraint link_key_key_check CHECK ((octet_length(key) = 32));
alter table listing_categories add constraint listing_categories_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));
alter table listing_categories add constraint listing_categories_pkey PRIMARY KEY (id);
alter table listing_categories add constraint listing_categories_slug_check CHECK ((slug ~ '^[0-9a-z_-]{1,50}$'::text));
alter table listing_categories add constraint listing_categories_slug_key UNIQUE (slug);
alter table listings add constraint listings_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE;
alter table listings add constraint listings_body_markdown_check CHECK (((char_length(body_markdown) >= 1) AND (char_length(body_markdown) <= 400)));
alter table listings add constraint listings_category_id_fkey FOREIGN KEY (category_id) REFERENCES listing_categories(id);
alter table listings add constraint listings_location_check CHECK (((char_length(location) >= 1) AND (char_length(location) <= 32)));
alter table listings add constraint listings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE SET NULL;
alter table listings add constraint listings_pkey PRIMARY KEY (id);
alter table listings add constraint listings_slug_check CHECK (((slug ~ '^[0-9a-z_-]{1,255}$'::text) AND (slug !~ '^[0-9]+$'::text)));
alter table listings add constraint listings_slug_key UNIQUE (slug);
alter table listings add constraint listings_tag_list_check CHECK ((cardinality(tag_list) <= 8));
alter table listings add constraint listings_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 128)));
alter table mail_choices add constraint mail_choices_pkey PRIMARY KEY (user_id, kind);
alter table mail_choices add constraint mail_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table mails add constraint mails_attempts_check CHECK ((attempts >= 0));
alter table mails add constraint mails_check CHECK (((user_id IS NOT NULL) OR (address IS NOT NULL)));
alter table mails add constraint mails_check1 CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL)));
alter table mails add constraint mails_check2 CHECK (((state = 'pending'::text) = (finished_at IS NULL)));
alter table mails add constraint mails_check3 CHECK (((lease IS NULL) = (leased_until IS NULL)));
alter table mails add constraint mails_check4 CHECK (((lease IS NULL) OR (state = 'pending'::text)));
alter table mails add constraint mails_pkey PRIMARY KEY (id);
alter table mails add constraint mails_reply_check CHECK ((octet_length(reply) <= 4000));
alter table mails add constraint mails_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text])));
alter table mails add constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table notifications add constraint notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE CASCADE;
alter table notifications add constraint notifications_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE CASCADE;
alter table notifications add constraint notifications_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE;
alter table notifications add constraint notifications_kind_check CHECK ((kind = ANY (ARRAY['mention'::text, 'article_published'::text, 'follow'::text, 'comment'::text, 'reply'::text, 'webhook_disabled'::text, 'security'::text, 'application'::text, 'moderation'::text]))) NOT VALID;
alter table notifications add constraint notifications_pkey PRIMARY KEY (id);
alter table notifications add constraint notifications_subject_check CHECK (((num_nonnulls(article_id, comment_id, webhook_endpoint_id, notice) =
CASE kind
    WHEN 'follow'::text THEN 0
    ELSE 1
END) AND ((kind <> 'webhook_disabled'::text) = (webhook_endpoint_id IS NULL)) AND ((kind <> ALL (ARRAY['security'::text, 'application'::text, 'moderation'::text])) = (notice IS NULL)))) NOT VALID;
alter table notifications add constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table notifications add constraint notifications_webhook_endpoint_id_fkey FOREIGN KEY (webhook_endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;
alter table organization_invitations add constraint organization_invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table organization_invitations add constraint organization_invitations_pkey PRIMARY KEY (organization_id, user_id);
alter table organization_invitations add constraint organization_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table organization_members add constraint organization_members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table organization_members add constraint organization_members_pkey PRIMARY KEY (organization_id, user_id);
alter table organization_members add constraint organization_members_role_check CHECK ((role = ANY (ARRAY['member'::text, 'admin'::text])));
alter table organization_members add constraint organization_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table organizations add constraint organizations_kind_check CHECK ((kind = 'organization'::text));
alter table organizations add constraint organizations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));
alter table organizations add constraint organizations_pkey PRIMARY KEY (id);
alter table organizations add constraint organizations_username_key UNIQUE (username);
alter table organizations add constraint organizations_username_kind_fkey FOREIGN KEY (username, kind) REFERENCES handles(username, kind) ON UPDATE CASCADE;
alter table outbox add constraint outbox_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE;
alter table outbox add constraint outbox_pkey PRIMARY KEY (event_id, consumer);
alter table page_view_keys add constraint page_view_keys_key_check CHECK ((octet_length(key) = 32));
alter table page_view_keys add constraint page_view_keys_pkey PRIMARY KEY (day);
alter table page_view_visitors add constraint page_view_visitors_day_fkey FOREIGN KEY (day) REFERENCES page_view_keys(day) ON DELETE CASCADE;
alter table page_view_visitors add constraint page_view_visitors_pkey PRIMARY KEY (day, visitor);
alter table page_views add constraint page_views_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE CASCADE;
alter table page_views add constraint page_views_check CHECK (((signed_in_views >= 0) AND (signed_in_views <= views)));
alter table page_views add constraint page_views_check1 CHECK (((user_id IS NULL) OR (signed_in_views = views)));
alter table page_views add constraint page_views_read_time_seconds_check CHECK ((read_time_seconds >= 0));
alter table page_views add constraint page_views_referrer_check CHECK ((char_length(referrer) <= 253));
alter table page_views add constraint page_views_signed_in_read_seconds_check CHECK ((signed_in_read_seconds >= 0));
alter table page_views add constraint page_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
alter table page_views add constraint page_views_views_check CHECK ((views > 0));
alter table podcast_episodes add constraint podcast_episodes_duration_seconds_check CHECK ((duration_seconds >= 0));
alter table podcast_episodes add constraint podcast_episodes_guid_check CHECK (((char_length(guid) >= 1) AND (char_length(guid) <= 500)));
alter table podcast_episodes add constraint podcast_episodes_pkey PRIMARY KEY (id);
alter table podcast_episodes add constraint podcast_episodes_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE;
alter table podcast_episodes add constraint podcast_episodes_podcast_id_slug_key UNIQUE (podcast_id, slug);
alter table podcast_episodes add constraint podcast_episodes_slug_check CHECK ((slug ~ '^[0-9a-z_-]{1,255}$'::text));
alter table podcast_episodes add constraint podcast_episodes_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 300)));
alter table podcasts add constraint podcasts_kind_check CHECK ((kind = 'podcast'::text));
alter table podcasts add constraint podcasts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL;
alter table podcasts add constraint podcasts_pkey PRIMARY KEY (id);
alter table podcasts add constraint podcasts_slug_key UNIQUE (slug);
alter table podcasts add constraint podcasts_slug_kind_fkey FOREIGN KEY (slug, kind) REFERENCES handles(username, kind) ON UPDATE CASCADE;
alter table podcasts add constraint podcasts_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200)));
alter table published_articles add constraint published_articles_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE CASCADE;
alter table published_articles add constraint published_articles_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE SET NULL;
alter table published_articles add constraint published_articles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE SET NULL;
alter table published_articles add constraint published_articles_pkey PRIMARY KEY (article_id);
alter table published_counts add constraint published_counts_pkey PRIMARY KEY (id);
alter table reactions add constraint reactions_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE CASCADE;
alter table reactions add constraint reactions_article_id_user_id_category_key UNIQUE (article_id, user_id, category);
alter table reactions add constraint reactions_category_check CHECK ((category = ANY (ARRAY['like'::text, 'unicorn'::text, 'exploding_head'::text, 'raised_hands'::text, 'fire'::text, 'readinglist'::text])));
alter table reactions add constraint reactions_check CHECK ((num_nonnulls(article_id, comment_id) = 1));
alter table reactions add constraint reactions_check1 CHECK (((category <> 'readinglist'::text) OR (article_id IS NOT NULL)));
alter table reactions add constraint reactions_check2 CHECK (((category = 'readinglist'::text) OR (status = 'valid'::text)));
alter table reactions add constraint reactions_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE;
alter table reactions add constraint reactions_comment_id_user_id_category_key UNIQUE (comment_id, user_id, category);
alter table reactions add constraint reactions_pkey PRIMARY KEY (id);
alter table reactions add constraint reactions_status_check CHECK ((status = ANY (ARRAY['valid'::text, 'invalid'::text, 'confirmed'::text, 'archived'::text])));
alter table reactions add constraint reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table recent_actions add constraint recent_actions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table remote_pictures add constraint remote_pictures_check CHECK (((picture IS NULL) OR (failure IS NULL)));
alter table remote_pictures add constraint remote_pictures_failure_check CHECK ((char_length(failure) <= 500));
alter table remote_pictures add constraint remote_pictures_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'organization'::text, 'podcast'::text])));
alter table remote_pictures add constraint remote_pictures_picture_check CHECK ((picture ~~ '/uploads/%'::text));
alter table remote_pictures add constraint remote_pictures_pkey PRIMARY KEY (kind, id);
alter table reports add constraint reports_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE;
alter table reports add constraint reports_kind_check CHECK ((kind = ANY (ARRAY['article'::text, 'comment'::text, 'user'::text, 'listing'::text])));
alter table reports add constraint reports_pkey PRIMARY KEY (id);
alter table reports add constraint reports_reason_check CHECK ((reason = ANY (ARRAY['spam'::text, 'harassment'::text, 'rules'::text, 'other'::text])));
alter table reports add constraint reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(id) ON DELETE CASCADE;
alter table reports add constraint reports_reporter_id_kind_thing_id_key UNIQUE (reporter_id, kind, thing_id);
alter table reports add constraint reports_text_check CHECK ((char_length(text) <= 1000));
alter table retired_names add constraint retired_names_pkey PRIMARY KEY (username);
alter table retired_names add constraint retired_names_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table retired_paths add constraint retired_paths_article_id_fkey FOREIGN KEY (article_id) REFERENCES articles(id) ON DELETE CASCADE;
alter table retired_paths add constraint retired_paths_path_check CHECK ((path = lower(path)));
alter table retired_paths add constraint retired_paths_pkey PRIMARY KEY (path);
alter table schema_migrations add constraint schema_migrations_kind_check CHECK ((kind = ANY (ARRAY['expand'::text, 'contract'::text])));
alter table schema_migrations add constraint schema_migrations_pkey PRIMARY KEY (name);
alter table search_rows add constraint search_rows_article_id_fkey FOREIGN KEY (article_id) REFERENCES published_articles(article_id) ON DELETE CASCADE;
alter table search_rows add constraint search_rows_pkey PRIMARY KEY (article_id);
alter table search_word_changes add constraint search_word_changes_pkey PRIMARY KEY (id);
alter table search_words add constraint search_words_pkey PRIMARY KEY (word);
alter table second_factors add constraint second_factors_pkey PRIMARY KEY (user_id);
alter table second_factors add constraint second_factors_secret_check CHECK ((secret ~ '^[A-Z2-7]{32}$'::text));
alter table second_factors add constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table sessions add constraint sessions_codes_left_check CHECK ((codes_left >= 0));
alter table sessions add constraint sessions_pkey PRIMARY KEY (id);
alter table sessions add constraint sessions_sha256_check CHECK ((octet_length(sha256) = 32));
alter table sessions add constraint sessions_sha256_key UNIQUE (sha256);
alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table settings add constraint settings_pkey PRIMARY KEY (key);
alter table sign_in_failures add constraint sign_in_failures_pkey PRIMARY KEY (sha256);
alter table sign_in_failures add constraint sign_in_failures_sha256_check CHECK ((octet_length(sha256) = 32));
alter table sign_ups add constraint sign_ups_check CHECK (((state = 'declined'::text) = (decided_at IS NOT NULL)));
alter table sign_ups add constraint sign_ups_pkey PRIMARY KEY (id);
alter table sign_ups add constraint sign_ups_state_check CHECK ((state = ANY (ARRAY['applied'::text, 'declined'::text])));
alter table staff_log add constraint staff_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL;
alter table staff_log add constraint staff_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'operator'::text, 'job'::text])));
alter table staff_log add constraint staff_log_pkey PRIMARY KEY (id);
alter table staff_log add constraint staff_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL;
alter table tags add constraint tags_alias_for_fkey FOREIGN KEY (alias_for) REFERENCES tags(id) ON DELETE SET NULL;
alter table tags add constraint tags_articles_count_check CHECK ((articles_count >= 0));
alter table tags add constraint tags_bg_color_hex_check CHECK ((bg_color_hex ~* '^#[0-9a-f]{6}$'::text));
alter table tags add constraint tags_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 30)));
alter table tags add constraint tags_name_key UNIQUE (name);
alter table tags add constraint tags_pkey PRIMARY KEY (id);
alter table tags add constraint tags_text_color_hex_check CHECK ((text_color_hex ~* '^#[0-9a-f]{6}$'::text));
alter table unconfirmed_addresses add constraint unconfirmed_addresses_pkey PRIMARY KEY (user_id);
alter table unconfirmed_addresses add constraint unconfirmed_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table uploads add constraint uploads_bytes_check CHECK ((bytes > 0));
alter table uploads add constraint uploads_name_check CHECK ((name ~ '^[0-9a-f]{32}\.(jpg|png|gif|webp|avif)$'::text));
alter table uploads add constraint uploads_pkey PRIMARY KEY (name);
alter table uploads add constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table users add constraint users_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE SET NULL;
alter table users add constraint users_kind_check CHECK ((kind = 'user'::text));
alter table users add constraint users_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)));
alter table users add constraint users_origin_check CHECK ((origin = ANY (ARRAY['operator'::text, 'import'::text, 'registration'::text])));
alter table users add constraint users_pkey PRIMARY KEY (id);
alter table users add constraint users_reading_check CHECK ((reading ~ '^(system|light|dark) (small|medium|large) (serif|sans)$'::text));
alter table users add constraint users_role_check CHECK ((role = ANY (ARRAY['member'::text, 'moderator'::text, 'admin'::text])));
alter table users add constraint users_username_key UNIQUE (username);
alter table users add constraint users_username_kind_fkey FOREIGN KEY (username, kind) REFERENCES handles(username, kind) ON UPDATE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_attempts_check CHECK ((attempts >= 0));
alter table webhook_deliveries add constraint webhook_deliveries_check CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL)));
alter table webhook_deliveries add constraint webhook_deliveries_check1 CHECK (((state = 'pending'::text) = (finished_at IS NULL)));
alter table webhook_deliveries add constraint webhook_deliveries_check2 CHECK (((lease IS NULL) = (leased_until IS NULL)));
alter table webhook_deliveries add constraint webhook_deliveries_check3 CHECK (((lease IS NULL) OR (state = 'pending'::text)));
alter table webhook_deliveries add constraint webhook_deliveries_duration_ms_check CHECK ((duration_ms >= 0));
alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id);
alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (id);
alter table webhook_deliveries add constraint webhook_deliveries_response_beginning_check CHECK ((octet_length(response_beginning) <= 16384));
alter table webhook_deliveries add constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'exhausted'::text])));
alter table webhook_deliveries add constraint webhook_deliveries_webhook_id_key UNIQUE (webhook_id);
alter table webhook_endpoints add constraint webhook_endpoints_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL)));
alter table webhook_endpoints add constraint webhook_endpoints_events_check CHECK ((cardinality(events) > 0));
alter table webhook_endpoints add constraint webhook_endpoints_pkey PRIMARY KEY (id);
alter table webhook_endpoints add constraint webhook_endpoints_secret_check CHECK ((secret ~ '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$'::text));
alter table webhook_endpoints add constraint webhook_endpoints_source_check CHECK (((char_length(source) >= 1) AND (char_length(source) <= 100)));
alter table webhook_endpoints add constraint webhook_endpoints_target_url_check CHECK ((octet_length(target_url) <= 2000));
alter table webhook_endpoints add constraint webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table webhook_endpoints add constraint webhook_endpoints_user_id_target_url_key UNIQUE (user_id, target_url);
alter table webhook_previous_secrets add constraint webhook_previous_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;
alter table webhook_previous_secrets add constraint webhook_previous_secrets_pkey PRIMARY KEY (endpoint_id, secret);

CREATE INDEX analytics_changes_article ON public.analytics_changes USING btree (article_id);
CREATE INDEX analytics_changes_owned ON public.analytics_changes USING btree (article_id) WHERE (owner_id IS NOT NULL);
CREATE INDEX analytics_changes_owner ON public.analytics_changes USING btree (owner_kind, owner_id) WHERE (owner_id IS NOT NULL);
CREATE UNIQUE INDEX analytics_days_once ON public.analytics_days USING btree (kind, subject_id, num_nonnulls(day, referrer), day, referrer) NULLS NOT DISTINCT;
CREATE INDEX announcements_due ON public.announcements USING btree (due_at);
CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id, id);
CREATE INDEX article_tags_article ON public.article_tags USING btree (article_id);
CREATE INDEX article_tags_by_date ON public.article_tags USING btree (tag_id, published_at DESC, article_id DESC);
CREATE INDEX article_tags_by_hotness ON public.article_tags USING btree (tag_id, hotness DESC, published_at DESC, article_id DESC);
CREATE INDEX article_tags_by_reactions ON public.article_tags USING btree (tag_id, reactions DESC, published_at DESC, article_id DESC);
CREATE INDEX article_tags_by_week ON public.article_tags USING btree (tag_id, week, reactions DESC, published_at DESC, article_id DESC);
CREATE INDEX articles_author ON public.articles USING btree (author_id, created_at DESC, title);
CREATE UNIQUE INDEX articles_canonical_url ON public.articles USING btree (canonical_url) WHERE ((state = ANY (ARRAY['published'::text, 'scheduled'::text])) AND (canonical_url IS NOT NULL));
CREATE INDEX articles_collection ON public.articles USING btree (collection_id) WHERE (collection_id IS NOT NULL);
CREATE INDEX articles_deleted ON public.articles USING btree (deleted_at) WHERE (state = 'deleted'::text);
CREATE INDEX articles_organization ON public.articles USING btree (organization_id) WHERE (organization_id IS NOT NULL);
CREATE INDEX articles_own ON public.articles USING btree (author_id, (
CASE
    WHEN (state = ANY (ARRAY['published'::text, 'scheduled'::text])) THEN published_at
    ELSE NULL::timestamp with time zone
END) DESC, created_at DESC, id DESC) WHERE (state <> 'deleted'::text);
CREATE INDEX articles_renderer ON public.articles USING btree (renderer_version, id);
CREATE INDEX articles_scheduled ON public.articles USING btree (published_at) WHERE (state = 'scheduled'::text);
CREATE INDEX comments_article ON public.comments USING btree (article_id, root_id, ((parent_id IS NOT NULL)), id) WHERE (article_id IS NOT NULL);
CREATE INDEX comments_article_roots ON public.comments USING btree (article_id, root_id) WHERE ((parent_id IS NULL) AND (article_id IS NOT NULL));
CREATE INDEX comments_author ON public.comments USING btree (author_id, created_at DESC, id DESC);
CREATE INDEX comments_episode ON public.comments USING btree (episode_id, root_id, ((parent_id IS NOT NULL)), id) WHERE (episode_id IS NOT NULL);
CREATE INDEX comments_episode_roots ON public.comments USING btree (episode_id, root_id) WHERE ((parent_id IS NULL) AND (episode_id IS NOT NULL));
CREATE INDEX comments_latest ON public.comments USING btree (article_id, created_at DESC) WHERE ((NOT deleted) AND (article_id IS NOT NULL));
CREATE INDEX comments_parent ON public.comments USING btree (parent_id, id) WHERE (parent_id IS NOT NULL);
CREATE INDEX comments_renderer ON public.comments USING btree (renderer_version, id);
CREATE INDEX comments_text ON public.comments USING gin (to_tsvector('simple'::regconfig, body_markdown));
CREATE INDEX events_age ON public.events USING btree (created_at);
CREATE INDEX feed_items_article ON public.feed_items USING btree (article_id) WHERE (article_id IS NOT NULL);
CREATE INDEX feed_items_marks ON public.feed_items USING gin (marks);
CREATE UNIQUE INDEX feed_items_once ON public.feed_items USING btree (feed_id, (marks[1]));
CREATE INDEX feed_items_skipped ON public.feed_items USING btree (feed_id, id) WHERE (skipped IS NOT NULL);
CREATE INDEX fetches_due ON public.fetches USING btree (kind, due_at, id);
CREATE INDEX follows_follower ON public.follows USING btree (follower_id, tag_id);
CREATE UNIQUE INDEX follows_organization_once ON public.follows USING btree (organization_id, follower_id) INCLUDE (created_at) WHERE (organization_id IS NOT NULL);
CREATE INDEX follows_shown ON public.follows USING btree (followed_user_id, created_at, id) INCLUDE (follower_id) WHERE (followed_user_id IS NOT NULL);
CREATE UNIQUE INDEX follows_tag_once ON public.follows USING btree (tag_id, follower_id) WHERE (tag_id IS NOT NULL);
CREATE UNIQUE INDEX follows_user_once ON public.follows USING btree (followed_user_id, follower_id) WHERE (followed_user_id IS NOT NULL);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX invitations_inviter ON public.invitations USING btree (inviter_id);
CREATE INDEX listings_author ON public.listings USING btree (author_id);
CREATE INDEX listings_of_category ON public.listings USING btree (category_id, bumped_at DESC, id DESC, expires_at) WHERE published;
CREATE INDEX listings_of_organization ON public.listings USING btree (organization_id, bumped_at DESC, id DESC, expires_at) WHERE (published AND (organization_id IS NOT NULL));
CREATE INDEX listings_organization ON public.listings USING btree (organization_id) WHERE (organization_id IS NOT NULL);
CREATE INDEX listings_renderer ON public.listings USING btree (renderer_version, id);
CREATE INDEX listings_shown ON public.listings USING btree (bumped_at DESC, id DESC, expires_at) WHERE published;
CREATE INDEX listings_tags ON public.listings USING gin (tag_list);
CREATE INDEX listings_text ON public.listings USING gin (to_tsvector('simple'::regconfig, ((title || ' '::text) || body_markdown)));
CREATE INDEX mails_due ON public.mails USING btree (next_attempt_at, id) WHERE (state = 'pending'::text);
CREATE INDEX mails_finished ON public.mails USING btree (finished_at) WHERE (state <> 'pending'::text);
CREATE INDEX mails_user ON public.mails USING btree (user_id);
CREATE INDEX notifications_actor ON public.notifications USING btree (actor_id);
CREATE INDEX notifications_article ON public.notifications USING btree (article_id);
CREATE UNIQUE INDEX notifications_comment_once ON public.notifications USING btree (comment_id, user_id) WHERE (comment_id IS NOT NULL);
CREATE UNIQUE INDEX notifications_follow_once ON public.notifications USING btree (user_id, actor_id) WHERE (kind = 'follow'::text);
CREATE UNIQUE INDEX notifications_once ON public.notifications USING btree (user_id, article_id) WHERE (kind = ANY (ARRAY['mention'::text, 'article_published'::text]));
CREATE INDEX notifications_shown ON public.notifications USING btree (user_id, id DESC) WHERE (withdrawn_at IS NULL);
CREATE INDEX notifications_unread_first ON public.notifications USING btree (user_id, ((read_at IS NULL)) DESC, id DESC) WHERE (withdrawn_at IS NULL);
CREATE INDEX notifications_webhook_endpoint ON public.notifications USING btree (webhook_endpoint_id) WHERE (webhook_endpoint_id IS NOT NULL);
CREATE INDEX organization_invitations_user ON public.organization_invitations USING btree (user_id);
CREATE INDEX organization_members_user ON public.organization_members USING btree (user_id);
CREATE INDEX organizations_by_name ON public.organizations USING btree (lower(name) text_pattern_ops);
CREATE INDEX organizations_by_username ON public.organizations USING btree (username text_pattern_ops);
CREATE INDEX organizations_text ON public.organizations USING gin (to_tsvector('simple'::regconfig, ((((username || ' '::text) || name) || ' '::text) || COALESCE(summary, ''::text))));
CREATE INDEX outbox_due ON public.outbox USING btree (consumer, due_at, event_id);
CREATE INDEX page_views_named ON public.page_views USING btree (day) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX page_views_once ON public.page_views USING btree (article_id, day, referrer, COALESCE(user_id, 0));
CREATE INDEX page_views_user ON public.page_views USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX podcast_episodes_guid ON public.podcast_episodes USING btree (podcast_id, guid);
CREATE INDEX podcast_episodes_listed ON public.podcast_episodes USING btree (published_at DESC NULLS LAST, id DESC) WHERE reachable;
CREATE INDEX podcast_episodes_of_podcast ON public.podcast_episodes USING btree (podcast_id, published_at DESC NULLS LAST, id DESC) WHERE reachable;
CREATE INDEX podcasts_owner ON public.podcasts USING btree (owner_id) WHERE (owner_id IS NOT NULL);
CREATE INDEX published_by_author ON public.published_articles USING btree (author_id, published_at DESC, article_id DESC);
CREATE INDEX published_by_collection ON public.published_articles USING btree (collection_id, published_at, article_id DESC) WHERE (collection_id IS NOT NULL);
CREATE INDEX published_by_date ON public.published_articles USING btree (published_at DESC, article_id DESC);
CREATE INDEX published_by_hotness ON public.published_articles USING btree (hotness DESC, published_at DESC, article_id DESC);
CREATE INDEX published_by_organization ON public.published_articles USING btree (organization_id, published_at DESC, article_id DESC) WHERE (organization_id IS NOT NULL);
CREATE INDEX published_by_reactions ON public.published_articles USING btree (reactions DESC, published_at DESC, article_id DESC);
CREATE INDEX published_by_week ON public.published_articles USING btree (week, reactions DESC, published_at DESC, article_id DESC);
CREATE INDEX published_fresh ON public.published_articles USING btree (article_id) WHERE (hotness <> score);
CREATE INDEX published_videos ON public.published_articles USING btree (hotness DESC, published_at DESC, article_id DESC) WHERE has_video;
CREATE INDEX reactions_reading_list ON public.reactions USING btree (user_id, created_at DESC, id DESC) WHERE ((category = 'readinglist'::text) AND (status <> 'archived'::text));
CREATE INDEX reactions_user ON public.reactions USING btree (user_id);
CREATE INDEX recent_actions_count ON public.recent_actions USING btree (user_id, action, done_at);
CREATE INDEX remote_pictures_given_up ON public.remote_pictures USING btree (kind, id) WHERE (failure IS NOT NULL);
CREATE INDEX reports_author ON public.reports USING btree (author_id, id DESC);
CREATE INDEX reports_open ON public.reports USING btree (kind, thing_id) WHERE (closed_at IS NULL);
CREATE INDEX retired_names_user ON public.retired_names USING btree (user_id);
CREATE INDEX retired_paths_article ON public.retired_paths USING btree (article_id);
CREATE INDEX search_changes_in ON public.search_changes USING btree (changed_in);
CREATE INDEX search_rows_title ON public.search_rows USING btree (title_key);
CREATE INDEX search_rows_version ON public.search_rows USING btree (search_version);
CREATE INDEX search_rows_words ON public.search_rows USING gin (words);
CREATE INDEX search_words_changed_in ON public.search_words USING btree (changed_in);
CREATE INDEX sessions_seen ON public.sessions USING btree (seen_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_ups_email ON public.sign_ups USING btree (lower(email));
CREATE UNIQUE INDEX sign_ups_username ON public.sign_ups USING btree (username) WHERE (state <> 'declined'::text);
CREATE INDEX staff_log_actor ON public.staff_log USING btree (actor_id);
CREATE INDEX staff_log_by_act ON public.staff_log USING btree (act, id DESC);
CREATE INDEX staff_log_user ON public.staff_log USING btree (user_id, id DESC);
CREATE INDEX tags_aliases ON public.tags USING btree (alias_for) WHERE (alias_for IS NOT NULL);
CREATE INDEX tags_by_name ON public.tags USING btree (name text_pattern_ops);
CREATE INDEX tags_by_use ON public.tags USING btree (articles_count DESC, name) WHERE (alias_for IS NULL);
CREATE INDEX unconfirmed_addresses_address ON public.unconfirmed_addresses USING btree (lower(address));
CREATE INDEX uploads_of_user ON public.uploads USING btree (user_id) INCLUDE (bytes);
CREATE INDEX users_by_name ON public.users USING btree (lower(name) text_pattern_ops);
CREATE INDEX users_by_username ON public.users USING btree (username text_pattern_ops);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX users_invitation ON public.users USING btree (invitation_id) WHERE (invitation_id IS NOT NULL);
CREATE INDEX users_registered ON public.users USING btree (created_at);
CREATE INDEX users_suspended ON public.users USING btree (id) WHERE suspended;
CREATE INDEX users_text ON public.users USING gin (to_tsvector('simple'::regconfig, ((((username || ' '::text) || name) || ' '::text) || COALESCE(summary, ''::text))));
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_leased ON public.webhook_deliveries USING btree (endpoint_id) WHERE (lease IS NOT NULL);
CREATE INDEX webhook_deliveries_listed ON public.webhook_deliveries USING btree (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_next ON public.webhook_deliveries USING btree (next_attempt_at) WHERE (state = 'pending'::text);

CREATE TRIGGER article_words_noted AFTER INSERT OR DELETE OR UPDATE ON public.article_words FOR EACH ROW EXECUTE FUNCTION note_word_changes();
CREATE TRIGGER articles_copy_version AFTER UPDATE ON public.articles FOR EACH ROW EXECUTE FUNCTION copy_article_version();
CREATE TRIGGER articles_noted BEFORE INSERT OR DELETE OR UPDATE OF state, author_id, organization_id ON public.articles FOR EACH ROW EXECUTE FUNCTION note_article_change();
CREATE TRIGGER articles_version BEFORE UPDATE ON public.articles FOR EACH ROW EXECUTE FUNCTION move_version();
CREATE TRIGGER comments_noted AFTER INSERT OR DELETE OR UPDATE OF article_id, deleted, score, created_at ON public.comments FOR EACH ROW EXECUTE FUNCTION note_comment_change();
CREATE TRIGGER comments_thread BEFORE INSERT ON public.comments FOR EACH ROW EXECUTE FUNCTION find_thread();
CREATE TRIGGER feed_sources_unfetched AFTER DELETE ON public.feed_sources FOR EACH ROW EXECUTE FUNCTION forget_fetch('feed');
CREATE TRIGGER organizations_article_versions AFTER UPDATE OF username, name, profile_image ON public.organizations FOR EACH ROW WHEN ((((old.username IS DISTINCT FROM new.username) OR (old.name IS DISTINCT FROM new.name)) OR (old.profile_image IS DISTINCT FROM new.profile_image))) EXECUTE FUNCTION move_versions_of_articles();
CREATE TRIGGER organizations_picture AFTER INSERT OR DELETE OR UPDATE OF profile_image ON public.organizations FOR EACH ROW EXECUTE FUNCTION note_remote_picture('organization', 'profile_image');
CREATE TRIGGER episodes_unfetched AFTER DELETE ON public.podcast_episodes FOR EACH ROW EXECUTE FUNCTION forget_fetch('episode');
CREATE TRIGGER podcasts_picture AFTER INSERT OR DELETE OR UPDATE OF image_url ON public.podcasts FOR EACH ROW EXECUTE FUNCTION note_remote_picture('podcast', 'image_url');
CREATE TRIGGER published_articles_changed AFTER UPDATE OF version, reactions, published_at ON public.published_articles FOR EACH ROW EXECUTE FUNCTION note_search_change('false');
CREATE TRIGGER reactions_noted AFTER INSERT OR DELETE OR UPDATE OF created_at ON public.reactions FOR EACH ROW EXECUTE FUNCTION note_reaction_change();
CREATE TRIGGER search_rows_noted AFTER INSERT OR DELETE OR UPDATE OF words ON public.search_rows FOR EACH ROW EXECUTE FUNCTION note_search_change('true');
CREATE TRIGGER tags_article_versions AFTER UPDATE OF bg_color_hex, text_color_hex ON public.tags FOR EACH ROW WHEN (((new.name = ANY (flares())) AND ((old.bg_color_hex IS DISTINCT FROM new.bg_color_hex) OR (old.text_color_hex IS DISTINCT FROM new.text_color_hex)))) EXECUTE FUNCTION move_versions_of_articles();
CREATE TRIGGER tags_follows AFTER UPDATE OF alias_for ON public.tags FOR EACH ROW WHEN (((new.alias_for IS DISTINCT FROM old.alias_for) AND (new.alias_for IS NOT NULL))) EXECUTE FUNCTION move_follows_of_alias();
CREATE TRIGGER users_article_versions AFTER UPDATE OF username, name, website_url, microblog_username, codehost_username, profile_image ON public.users FOR EACH ROW WHEN (((((((old.username IS DISTINCT FROM new.username) OR (old.name IS DISTINCT FROM new.name)) OR (old.website_url IS DISTINCT FROM new.website_url)) OR (old.microblog_username IS DISTINCT FROM new.microblog_username)) OR (old.codehost_username IS DISTINCT FROM new.codehost_username)) OR (old.profile_image IS DISTINCT FROM new.profile_image))) EXECUTE FUNCTION move_versions_of_articles();
CREATE TRIGGER users_picture AFTER INSERT OR DELETE OR UPDATE OF profile_image ON public.users FOR EACH ROW EXECUTE FUNCTION note_remote_picture('user', 'profile_image');

CREATE OR REPLACE FUNCTION public.copy_article_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update published_articles set version = new.version where article_id = new.id and version <> new.version;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.find_thread()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.root_id := case when new.parent_id is null then new.id
    else (select root_id from comments where id = new.parent_id) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.flares()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY['explainlikeimfive'::text, 'jokes'::text, 'watercooler'::text, 'ama'::text, 'techtalks'::text, 'todayilearned'::text, 'help'::text, 'news'::text, 'healthydebate'::text, 'showdev'::text, 'challenge'::text, 'anonymous'::text, 'discuss'::text];

CREATE OR REPLACE FUNCTION public.forget_fetch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from fetches where kind = tg_argv[0] and id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.move_follows_of_alias()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Of two weights that somebody gave the greater one stays.
  update follows set points = moved.points
  from follows as moved
  where moved.tag_id = new.id and follows.tag_id = new.alias_for and follows.follower_id = moved.follower_id
    and follows.points < moved.points;
  delete from follows using follows as kept
  where follows.tag_id = new.id and kept.tag_id = new.alias_for and kept.follower_id = follows.follower_id;
  update follows set tag_id = new.alias_for where tag_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.move_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := nextval('article_versions');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.move_versions_of_articles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  case tg_table_name
    when 'users' then update articles set version = version where author_id = new.id;
    when 'organizations' then update articles set version = version where organization_id = new.id;
    when 'tags' then
      update articles set version = version
      from article_tags
      where article_tags.tag_id = new.id and articles.id = article_tags.article_id;
  end case;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_article_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    with gone as (
      delete from page_views where article_id = old.id returning *
    )
    insert into analytics_changes (article_id, day, referrer, views, signed_in_views, read_seconds)
    select article_id, day, referrer, -sum(views), -sum(signed_in_views), -sum(signed_in_read_seconds)
    from gone group by article_id, day, referrer;
  end if;
  insert into analytics_changes (article_id, owner_kind, owner_id, sign)
  select article_id, kind, owner_id, sum(sign)
  from (values
    (old.id, old.state, 'user', old.author_id, -1), (old.id, old.state, 'organization', old.organization_id, -1),
    (new.id, new.state, 'user', new.author_id, 1), (new.id, new.state, 'organization', new.organization_id, 1)
  ) as owner (article_id, state, kind, owner_id, sign)
  where state = 'published' and owner_id is not null
  group by article_id, kind, owner_id having sum(sign) <> 0;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION public.note_comment_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into analytics_changes (article_id, day, comments)
  select article_id, day, sum(change)
  from (values
    (old.article_id, (old.created_at at time zone 'UTC')::date, old.deleted, old.score, -1),
    (new.article_id, (new.created_at at time zone 'UTC')::date, new.deleted, new.score, 1)
  ) as version (article_id, day, deleted, score, change)
  where article_id is not null and not deleted and score > 0
  group by article_id, day having sum(change) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_reaction_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into analytics_changes (article_id, day, reactions, likes, readinglists)
  select article_id, day, sum(change), sum(change) filter (where category = 'like'),
    sum(change) filter (where category = 'readinglist')
  from (values
    (old.article_id, (old.created_at at time zone 'UTC')::date, old.category, -1),
    (new.article_id, (new.created_at at time zone 'UTC')::date, new.category, 1)
  ) as version (article_id, day, category, change)
  where article_id is not null
  group by article_id, day having sum(change) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_remote_picture()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  known    text := to_jsonb(old) ->> tg_argv[1];
  given    text := to_jsonb(new) ->> tg_argv[1];
  row_id   int  := coalesce(new.id, old.id);
  fetching text := tg_argv[0] || '-picture';
begin
  if tg_op <> 'DELETE' and (given is not distinct from known
    or exists (select from remote_pictures where kind = tg_argv[0] and id = row_id and picture = given)) then
    return null;
  end if;
  delete from remote_pictures where kind = tg_argv[0] and id = row_id;
  delete from fetches where id = row_id and (kind = fetching or tg_op = 'DELETE' and kind = tg_argv[0]);
  if given ~* '^https?:' then
    insert into remote_pictures (kind, id, url) values (tg_argv[0], row_id, given);
    -- One alone at once; of many the others a little later, so that their hosts aren't asked for all of them at once.
    insert into fetches (kind, id, due_at) values (
      fetching, row_id, now() + case
        when exists (select from fetches where kind = fetching and due_at <= now() + interval '10 minutes')
        then random() * interval '10 minutes'
        else interval '0'
      end
    );
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_search_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into search_changes (article_id, has_text) values (coalesce(new.article_id, old.article_id), tg_argv[0]::boolean);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_word_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into search_word_changes (words, delta)
  select changed.words, delta
  from (values
    (array(select unnest(new.words) except select unnest(old.words)), 1),
    (array(select unnest(old.words) except select unnest(new.words)), -1)
  ) as changed (words, delta)
  where changed.words <> '{}';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.replace_alias(tag_list text[], alias text)
 RETURNS text[]
 LANGUAGE sql
 STABLE
RETURN (SELECT array_agg(names.name ORDER BY names.first) AS array_agg FROM (SELECT COALESCE(preferred.name, carried.name) AS name, min(carried.place) AS first FROM ((unnest(replace_alias.tag_list) WITH ORDINALITY carried(name, place) LEFT JOIN tags known ON (((known.name = carried.name) AND (known.name = replace_alias.alias)))) LEFT JOIN tags preferred ON ((preferred.id = known.alias_for))) GROUP BY COALESCE(preferred.name, carried.name)) names);

CREATE OR REPLACE FUNCTION public.search_candidates(looked_up tsquery, besides integer[], in_order text, since timestamp with time zone, most integer)
 RETURNS SETOF integer
 LANGUAGE plpgsql
 STABLE ROWS 100
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  if in_order is null then
    return query
      select article_id from search_rows as found
      where words @@ looked_up and not exists (select from unnest(besides) as known where known = article_id)
        and (since is null
          or (select published_at from published_articles as listed where listed.article_id = found.article_id) > since)
      limit most;
  else
    return query
      select article_id from search_rows as found join published_articles as listed using (article_id)
      where words @@ looked_up and not exists (select from unnest(besides) as known where known = article_id)
        and (since is null or listed.published_at > since)
      order by case when in_order = 'popularity' then listed.reactions end desc, listed.published_at desc, article_id desc
      limit most;
  end if;
end $function$;
