import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { dropRepeated, reassign as reassignRows, type Reassignment } from "../../platform/db/reassign.ts";
import { anyInt } from "../../platform/db/values.ts";

export interface Pair {
  follower_id: number;
  user_id: number;
}

export interface ArticleRow {
  id: number;
  author_id: number;
  organization_id: number | null;
  state: string;
}

/** Locks the states of articles in the order of ids, which prevents deadlocks. */
export const lockArticles = prepare<{ ids: readonly number[] }, ArticleRow>(
  (value) => sql`
    select id, author_id, organization_id, state from articles
    where id = any(${value("ids")}::int[]) order by id for share`,
);

/** The bodies that may mention people. */
export const bodiesWithNames = prepare<{ ids: readonly number[] }, { id: number; body_html: string }>(
  (value) => sql`
    select id, body_html from articles
    where id = any(${value("ids")}::int[]) and body_html like '%@%' order by id`,
);

/** Locks the follow. */
export async function lockFollow(tx: Db, { follower_id, user_id }: Pair): Promise<boolean> {
  const { rows } = await sql`
    select from follows where followed_user_id = ${user_id} and follower_id = ${follower_id} for share`.execute(
    tx,
  );
  return rows.length > 0;
}

export interface OfArticle {
  userId: number;
  articleId: number;
  /** Null when the person caused it. */
  actorId: number | null;
}

interface Message {
  kind: "mention" | "article_published";
  at: Date;
}

interface Columns extends Message {
  users: number[];
  articles: number[];
  actors: (number | null)[];
}

/** A notification that is new, of which an email may tell. */
export interface Told {
  id: string;
  kind: CommentKind;
}

const insertColumns = prepare<Columns, Told>(
  (value) => sql`
    with told as (
    insert into notifications (user_id, kind, article_id, actor_id, created_at)
    select users.id, ${value("kind")}, notified.article_id, notified.actor_id, ${value("at")}::timestamptz
    from unnest(${value("users")}::int[], ${value("articles")}::int[], ${value("actors")}::int[])
      as notified (user_id, article_id, actor_id)
    join users on users.id = notified.user_id
    order by notified.article_id, users.id
    on conflict (user_id, article_id) where kind in ('mention', 'article_published')
    do update set withdrawn_at = null where notifications.withdrawn_at is not null
    -- An inserted row has no transaction that has updated it.
    returning id, kind, xmax = 0 as is_new
    )
    select id, kind from told where is_new and kind = 'mention'`,
);

/** Inserts each once, and shows a withdrawn one again, in one order, which prevents deadlocks. Returns new mentions. */
export async function insertOfArticles(
  tx: Db,
  notified: readonly OfArticle[],
  message: Message,
): Promise<Told[]> {
  if (notified.length === 0) return [];
  return insertColumns(tx, {
    ...message,
    users: notified.map(({ userId }) => userId),
    articles: notified.map(({ articleId }) => articleId),
    actors: notified.map(({ actorId }) => actorId),
  });
}

export async function insertFollow(tx: Db, { follower_id, user_id }: Pair, at: Date): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, actor_id, created_at)
    values (${user_id}, 'follow', ${follower_id}, ${at})
    on conflict (user_id, actor_id) where kind = 'follow' do nothing`.execute(tx);
}

export type CommentKind = "mention" | "comment" | "reply";

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

export async function insertOfComment(
  tx: Db,
  notified: readonly { userId: number; kind: CommentKind }[],
  { commentId, actorId, at }: { commentId: number; actorId: number; at: Date },
): Promise<Told[]> {
  if (notified.length === 0) return [];
  const userIds = notified.map(({ userId }) => userId);
  const kinds = notified.map(({ kind }) => kind);
  const { rows } = await sql<Told>`
    insert into notifications (user_id, kind, comment_id, actor_id, created_at)
    select users.id, notified.kind, ${commentId}, ${actorId}, ${at}
    from unnest(${userIds}::int[], ${kinds}::text[]) as notified (user_id, kind)
    join users on users.id = notified.user_id
    order by users.id
    on conflict (comment_id, user_id) where comment_id is not null do nothing
    returning id, kind`.execute(tx);
  return rows;
}

/** The readers of emails about notifications, for `enqueueEach`. */
export const readersOf = (told: readonly Told[]): RawBuilder<unknown> => sql`
  select user_id, null::text, jsonb_build_object('notification_id', id) from notifications
  where id = any(${told.map(({ id }) => id)}::bigint[]) order by id`;

export async function insertDisabledWebhook(
  tx: Db,
  { userId, webhookEndpointId, now }: { userId: number; webhookEndpointId: number; now: Date },
): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, webhook_endpoint_id, created_at)
    values (${userId}, 'webhook_disabled', ${webhookEndpointId}, ${now})`.execute(tx);
}

/** Notifies a user who gets no email. */
export async function insertSecurity(
  tx: Db,
  { userId, text, now }: { userId: number; text: string; now: Date },
): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, notice, created_at)
    values (${userId}, 'security', ${text}, ${now})`.execute(tx);
}

/** Admins get one an hour at most. */
export async function insertApplication(tx: Db, text: string, now: Date): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, notice, created_at)
    select id, 'application', ${text}, ${now} from users
    where role = 'admin' and not suspended and not exists (
      select from notifications where user_id = users.id and kind = 'application'
        and created_at > ${now}::timestamptz - interval '1 hour'
    )`.execute(tx);
}

export async function withdraw(tx: Db, articleIds: readonly number[], at: Date): Promise<void> {
  if (articleIds.length === 0) return;
  await sql`
    update notifications set withdrawn_at = ${at}
    where article_id = ${anyInt(articleIds)} and withdrawn_at is null`.execute(tx);
}

export async function withdrawFollow(tx: Db, { follower_id, user_id }: Pair, at: Date): Promise<void> {
  await sql`
    update notifications set withdrawn_at = ${at}
    where user_id = ${user_id} and actor_id = ${follower_id} and kind = 'follow' and withdrawn_at is null`.execute(
    tx,
  );
}

/** Mentions are inserted again, because some may be gone. */
export const showAgain = prepare<{ ids: readonly number[] }, object>(
  (value) => sql`
    update notifications set withdrawn_at = null
    where article_id = any(${value("ids")}::int[]) and kind = 'article_published' and withdrawn_at is not null`,
);

/** Gives one person's notifications, and those of what the person did, to another: each once, and none of themselves. */
export async function reassign(tx: Db, people: Reassignment): Promise<number> {
  const { from, to } = people;
  await sql`
    delete from notifications where (user_id, actor_id) in ((${from}, ${to}), (${to}, ${from}))`.execute(tx);
  const received = ["notifications", "user_id"] as const;
  const caused = ["notifications", "actor_id"] as const;
  const isFollow = sql`gone.kind = 'follow'`;
  const subject = ["article_id", "comment_id", "webhook_endpoint_id", "notice"];
  await dropRepeated(tx, received, { ...people, same: subject, where: sql`not ${isFollow}` });
  await dropRepeated(tx, received, { ...people, same: ["kind", "actor_id"], where: isFollow });
  await dropRepeated(tx, caused, { ...people, same: ["kind", "user_id"], where: isFollow });
  const moved = await reassignRows(tx, received, people);
  await reassignRows(tx, caused, people);
  return moved;
}

/** Marks all unread ones where there is no id. */
export async function markRead(tx: Db, { userId, id }: { userId: number; id?: number }, now: Date) {
  await sql`
    update notifications set read_at = ${now}
    where user_id = ${userId} and read_at is null and id = coalesce(${id ?? null}, id)`.execute(tx);
}
