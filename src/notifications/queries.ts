import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";

/** A person who follows another one, or did. */
export interface Pair {
  followerId: number;
  followedId: number;
}

/** An article as readers are told of it; its state stays what it is until the transaction ends. */
export async function holdArticle(tx: Db, articleId: number) {
  return tx
    .selectFrom("articles")
    .select(["id", "author_id", "organization_id", "state", "body_html"])
    .where("id", "=", articleId)
    .forShare()
    .executeTakeFirst();
}

/** Whether one follows the other; that stays so until the transaction ends. */
export async function holdFollow(tx: Db, { followerId, followedId }: Pair): Promise<boolean> {
  const row = await tx
    .selectFrom("follows")
    .select("id")
    .where("followed_user_id", "=", followedId)
    .where("follower_id", "=", followerId)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

interface Message {
  kind: "mention" | "article_published";
  articleId: number;
  /** Who caused it, if it was somebody else. */
  actorId: number | null;
  at: Date;
}

/** Tells people, but nobody twice of the same article: what was withdrawn is shown again as it was. */
export async function insertAll(
  tx: Db,
  userIds: readonly number[],
  { kind, articleId, actorId, at }: Message,
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    insert into notifications (user_id, kind, article_id, actor_id, created_at)
    select id, ${kind}, ${articleId}, ${actorId}, ${at} from users where id = ${anyInt(userIds)} order by id
    on conflict (user_id, article_id) where kind in ('mention', 'article_published')
    do update set withdrawn_at = null where notifications.withdrawn_at is not null`.execute(tx);
}

/** Tells somebody that another one follows them, but once. */
export async function insertFollow(tx: Db, { followerId, followedId }: Pair, at: Date): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, actor_id, created_at)
    values (${followedId}, 'follow', ${followerId}, ${at})
    on conflict (user_id, actor_id) where kind = 'follow' do nothing`.execute(tx);
}

export async function insertDisabledWebhook(
  tx: Db,
  { userId, webhookEndpointId, now }: { userId: number; webhookEndpointId: number; now: Date },
): Promise<void> {
  await tx
    .insertInto("notifications")
    .values({
      user_id: userId,
      kind: "webhook_disabled",
      webhook_endpoint_id: webhookEndpointId,
      created_at: now,
    })
    .execute();
}

/** Shows nobody any more that this article was published. */
export async function withdraw(tx: Db, articleId: number, at: Date): Promise<void> {
  await tx
    .updateTable("notifications")
    .set({ withdrawn_at: at })
    .where("article_id", "=", articleId)
    .where("withdrawn_at", "is", null)
    .execute();
}

/** Shows nobody any more that one follows the other. */
export async function withdrawFollow(tx: Db, { followerId, followedId }: Pair, at: Date): Promise<void> {
  await tx
    .updateTable("notifications")
    .set({ withdrawn_at: at })
    .where("user_id", "=", followedId)
    .where("actor_id", "=", followerId)
    .where("kind", "=", "follow")
    .where("withdrawn_at", "is", null)
    .execute();
}

/** Shows those who were told of the publication that again. Mentions have their own way: some may be gone. */
export async function showAgain(tx: Db, articleId: number): Promise<void> {
  await tx
    .updateTable("notifications")
    .set({ withdrawn_at: null })
    .where("article_id", "=", articleId)
    .where("kind", "=", "article_published")
    .where("withdrawn_at", "is not", null)
    .execute();
}

/** What somebody is shown, the newest first, with the article, comment or person that it is about. */
export function list(db: Db, userId: number, limit: number) {
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
    .select(["articles.id as article_id", "articles.title", "articles.slug"])
    .select(["users.username as author", "organizations.username as organization"])
    .select(["actor.username as actor", "actor.name as actor_name"])
    .select(["notifications.comment_id", "episode.title as episode_title"])
    .select(["podcasts.slug as podcast_slug", "episode.slug as episode_slug"])
    .select(["webhook_endpoints.id as webhook_id", "webhook_endpoints.target_url"])
    .where("notifications.user_id", "=", userId)
    .where("notifications.withdrawn_at", "is", null)
    .where(isStillThere)
    .orderBy("notifications.id", "desc")
    .limit(limit)
    .execute();
}

/** What is said of a comment is shown as long as others can read it. */
const isStillThere = sql<boolean>`(
  notifications.comment_id is null
  or not comments.deleted and not comments.hidden
    and coalesce(articles.state = 'published', episode.reachable and podcasts.published)
)`;

export type NotificationRow = Awaited<ReturnType<typeof list>>[number];
