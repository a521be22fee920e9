import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

export type Kind = "mention" | "comment" | "reply";

/** A comment with those whom it concerns. */
export function findComment(db: Db, id: number) {
  const owner: RawBuilder<number | null> = sql`coalesce(articles.author_id, podcasts.owner_id)`;
  const isPublic: RawBuilder<boolean> = sql`
    coalesce(articles.state = 'published', podcast_episodes.reachable and podcasts.published, false)`;
  return db
    .selectFrom("comments")
    .leftJoin("comments as answered", "answered.id", "comments.parent_id")
    .leftJoin("articles", "articles.id", "comments.article_id")
    .leftJoin("podcast_episodes", "podcast_episodes.id", "comments.episode_id")
    .leftJoin("podcasts", "podcasts.id", "podcast_episodes.podcast_id")
    .select(["comments.author_id", "comments.body_html", "comments.deleted"])
    .select(["answered.author_id as answered_id", owner.as("owner_id"), isPublic.as("is_public")])
    .where("comments.id", "=", id)
    .executeTakeFirst();
}

/** Tells people of a comment, but nobody twice. */
export async function insertAll(
  tx: Db,
  told: readonly { userId: number; kind: Kind }[],
  { commentId, actorId, at }: { commentId: number; actorId: number; at: Date },
): Promise<void> {
  if (told.length === 0) return;
  const userIds = told.map(({ userId }) => userId);
  const kinds = told.map(({ kind }) => kind);
  await sql`
    insert into notifications (user_id, kind, comment_id, actor_id, created_at)
    select users.id, told.kind, ${commentId}, ${actorId}, ${at}
    from unnest(${userIds}::int[], ${kinds}::text[]) as told (user_id, kind)
    join users on users.id = told.user_id
    order by users.id
    on conflict (comment_id, user_id) where comment_id is not null do nothing`.execute(tx);
}
