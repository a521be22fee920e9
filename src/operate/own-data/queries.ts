import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { recordedPicture } from "../../community/records/pictures.ts";

export function findPerson(tx: Db, userId: number) {
  return tx
    .selectFrom("users")
    .selectAll()
    .select(recordedPicture("user"))
    .select("profile_image as stored_picture")
    .select(({ selectFrom }) =>
      selectFrom("unconfirmed_addresses")
        .select("address")
        .whereRef("user_id", "=", "users.id")
        .as("unconfirmed_email"),
    )
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

/** The old addresses, without those where the articles are found in a community without their organization. */
export function retiredPaths(tx: Db, userId: number) {
  return tx
    .selectFrom("retired_paths")
    .innerJoin("articles", "articles.id", "article_id")
    .innerJoin("users", "users.id", "author_id")
    .select(["path", "articles.slug as article"])
    .where("author_id", "=", userId)
    .where("state", "<>", "deleted")
    .where(sql<boolean>`path <> '/' || username || '/' || slug`)
    .orderBy("path")
    .execute();
}

export function articles(tx: Db, userId: number) {
  return tx
    .selectFrom("articles")
    .select(["id", "slug", "state"])
    .where("author_id", "=", userId)
    .orderBy("id")
    .execute();
}

export function article(tx: Db, id: number) {
  return tx
    .selectFrom("articles")
    .leftJoin("collections", "collections.id", "collection_id")
    .select(["title", "body_markdown", "description", "state", "published_at", "tag_list", "canonical_url"])
    .select(["main_image", "collections.slug as series"])
    .where("articles.id", "=", id)
    .executeTakeFirstOrThrow();
}

export const uploads = (tx: Db, userId: number) =>
  tx.selectFrom("uploads").select("name").where("user_id", "=", userId).orderBy("name").execute();

const ARTICLE = sql`left join articles on articles.id = article_id
  left join users as writers on writers.id = articles.author_id
  left join organizations on organizations.id = articles.organization_id`;

/** What others have taken back stays theirs. */
const PATH = sql`case when articles.state = 'published'
  then '/' || coalesce(organizations.username, writers.username) || '/' || articles.slug end`;

/** What a person has beside articles and pictures, without secrets. `comment` and `parent` are ids. */
const LISTS = {
  organizations: (id) => sql`select username as organization, role from organization_members
    join organizations on organizations.id = organization_id where user_id = ${id} order by username`,
  comments: (id) => sql`select comments.id as comment, parent_id as parent, ${PATH} as article,
      podcasts.slug || '/' || podcast_episodes.slug as episode, comments.body_markdown, comments.created_at,
      comments.edited_at, deleted, hidden
    from comments ${ARTICLE} left join podcast_episodes on podcast_episodes.id = episode_id
    left join podcasts on podcasts.id = podcast_id where comments.author_id = ${id} order by comments.id`,
  reactions: (id) => sql`select category, ${PATH} as article, comment_id as comment, reactions.created_at
    from reactions ${ARTICLE} where user_id = ${id} and category <> 'readinglist' order by reactions.id`,
  "reading-list": (id) => sql`select ${PATH} as article, status, reactions.created_at
    from reactions ${ARTICLE} where user_id = ${id} and category = 'readinglist' order by reactions.id`,
  follows: (
    id,
  ) => sql`select users.username as user, organizations.username as organization, tags.name as tag,
      points, follows.created_at
    from follows left join users on users.id = followed_user_id left join tags on tags.id = tag_id
    left join organizations on organizations.id = organization_id where follower_id = ${id} order by follows.id`,
  listings: (id) => sql`select listings.slug, title, body_markdown, listing_categories.slug as category,
      tag_list as tags, location, published, created_at, bumped_at, expires_at
    from listings join listing_categories on listing_categories.id = category_id
    where author_id = ${id} order by listings.id`,
  notifications: (id) => sql`select notifications.kind, actors.username as actor, ${PATH} as article,
      comment_id as comment, notice, notifications.created_at, read_at
    from notifications ${ARTICLE} left join users as actors on actors.id = actor_id
    where user_id = ${id} and withdrawn_at is null order by notifications.id`,
  "mail-choices": (id) => sql`select kind, is_on from mail_choices where user_id = ${id} order by kind`,
  "webhook-endpoints": (id) => sql`select source, target_url, events, created_at, disabled_at, disabled_reason
    from webhook_endpoints where user_id = ${id} order by id`,
  "api-keys": (id) => sql`select description, hint, read_only, created_at, expires_at, last_used_at
    from api_keys where user_id = ${id} order by id`,
  feeds: (id) => sql`select url, publish, created_at from feed_sources where user_id = ${id} order by id`,
  podcasts: (id) => sql`select slug, title, feed_url, website_url, published
    from podcasts where owner_id = ${id} order by id`,
  views: (id) => sql`select ${PATH} as article, day::text as day, referrer, views, read_time_seconds
    from page_views ${ARTICLE} where user_id = ${id} order by day, article_id, referrer`,
} satisfies Record<string, (userId: number) => RawBuilder<unknown>>;

export type List = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as List[];
const PAGE = 2_000;

export async function* listed(tx: Db, list: List, userId: number): AsyncGenerator<Record<string, unknown>> {
  for (let offset = 0; ; offset += PAGE) {
    const page = sql<Record<string, unknown>>`${LISTS[list](userId)} limit ${PAGE} offset ${offset}`;
    const { rows } = await page.execute(tx);
    yield* rows;
    if (rows.length < PAGE) return;
  }
}
