import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

/** The notifications of a user that are shown. */
function selectShown(db: Db, userId: number) {
  return db
    .selectFrom("notifications")
    .leftJoin("comments", "comments.id", "notifications.comment_id")
    .leftJoin("articles", (join) =>
      join.on(sql<boolean>`articles.id = coalesce(notifications.article_id, comments.article_id)`),
    )
    .leftJoin("users", "users.id", "articles.author_id")
    .leftJoin("organizations", "organizations.id", "articles.organization_id")
    .leftJoin("users as actor", "actor.id", "notifications.actor_id")
    .leftJoin("podcast_episodes as episode", "episode.id", "comments.episode_id")
    .leftJoin("podcasts", "podcasts.id", "episode.podcast_id")
    .leftJoin("webhook_endpoints", "webhook_endpoints.id", "notifications.webhook_endpoint_id")
    .select(["notifications.id", "notifications.kind", "notifications.created_at", "notifications.read_at"])
    .select(["notifications.notice", "notifications.path"])
    .select(["articles.id as article_id", "articles.title", "articles.slug"])
    .select(["users.username as author", "organizations.username as organization"])
    .select(["actor.username as actor", "actor.name as actor_name"])
    .select(["actor.id as actor_id", "actor.profile_image as actor_image"])
    .select(["notifications.comment_id", "episode.title as episode_title"])
    .select(["podcasts.slug as podcast_slug", "episode.slug as episode_slug"])
    .select(["webhook_endpoints.id as webhook_id", "webhook_endpoints.target_url"])
    .where("notifications.user_id", "=", userId)
    .where("notifications.withdrawn_at", "is", null)
    .where(isStillThere);
}

/** Newest first. */
export const list = (db: Db, userId: number, limit: number, { offset = 0, isUnread = false } = {}) =>
  selectShown(db, userId)
    .$if(isUnread, (query) => query.where("notifications.read_at", "is", null))
    .orderBy("notifications.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();

export interface Position {
  isUnread: boolean;
  id: number;
}

/** Unread ones first, then newest first: one more than `limit`, if there are more. */
export const listUnreadFirst = (
  db: Db,
  userId: number,
  { limit, after }: { limit: number; after?: Position | undefined },
) =>
  selectShown(db, userId)
    .where(
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(notifications.read_at is null, notifications.id) < (${after.isUnread}, ${after.id})`,
    )
    .orderBy(sql`notifications.read_at is null`, "desc")
    .orderBy("notifications.id", "desc")
    .limit(limit + 1)
    .execute();

export const find = (db: Db, { userId, id }: OfUser) =>
  selectShown(db, userId)
    .innerJoin("users as reader", "reader.id", "notifications.user_id")
    .select(["comments.body_html", "reader.suspended"])
    .where("notifications.id", "=", String(id))
    .executeTakeFirst();

export interface OfUser {
  userId: number;
  id: number;
}

/** A notification is shown while others can read its comment. `findViewer` counts by the same rule. */
const isStillThere = sql<boolean>`(
  notifications.comment_id is null
  or not comments.deleted and not comments.hidden
    and coalesce(articles.state = 'published', episode.reachable and podcasts.published)
)`;

export type NotificationRow = Awaited<ReturnType<typeof list>>[number];
