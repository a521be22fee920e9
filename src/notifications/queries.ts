import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyInt } from "../db/values.ts";

/** The article of the task that is due longest and that no other process works on. Due by the database's clock. */
export async function lockNextTask(tx: Db): Promise<number | undefined> {
  const task = await tx
    .selectFrom("notification_tasks")
    .select("article_id")
    .where("due_at", "<=", sql<Date>`now()`)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return task?.article_id;
}

/**
 * Takes all tasks of an article that can be seen now, but for those that another process holds, and
 * tells whether one of them announces it. Taken before the article is looked at: what is done to it
 * afterwards brings a task of its own.
 */
export async function takeTasks(tx: Db, articleId: number): Promise<{ announces: boolean }> {
  const { rows } = await sql<{ announces: boolean }>`
    delete from notification_tasks where id in (
      select id from notification_tasks where article_id = ${articleId} for update skip locked
    ) returning announces`.execute(tx);
  return { announces: rows.some(({ announces }) => announces) };
}

/** Leaves the tasks of an article alone for so long. */
export async function postpone(tx: Db, articleId: number, seconds: number): Promise<void> {
  await sql`
    update notification_tasks set due_at = now() + make_interval(secs => ${seconds}) where id in (
      select id from notification_tasks where article_id = ${articleId} for update skip locked
    )`.execute(tx);
}

/** An article as readers are told of it; its state stays what it is until the transaction ends. */
export async function holdArticle(tx: Db, articleId: number) {
  // An import holds the articles it changes to its end; nothing is lost by coming back.
  await sql`set local lock_timeout = '2s'`.execute(tx);
  return tx
    .selectFrom("articles")
    .select(["id", "author_id", "state", "body_html"])
    .where("id", "=", articleId)
    .forShare()
    .executeTakeFirst();
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

/** Shows nobody any more that this article was published. */
export async function withdraw(tx: Db, articleId: number, at: Date): Promise<void> {
  await tx
    .updateTable("notifications")
    .set({ withdrawn_at: at })
    .where("article_id", "=", articleId)
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

/** What somebody is shown, the newest first, with the article that it is about. */
export function list(db: Db, userId: number, limit: number) {
  return db
    .selectFrom("notifications")
    .innerJoin("articles", "articles.id", "notifications.article_id")
    .innerJoin("users", "users.id", "articles.author_id")
    .leftJoin("organizations", "organizations.id", "articles.organization_id")
    .select(["notifications.id", "notifications.kind", "notifications.created_at", "notifications.read_at"])
    .select(["notifications.article_id", "articles.title", "articles.slug"])
    .select(["users.username as author", "organizations.username as organization"])
    .where("notifications.user_id", "=", userId)
    .where("notifications.withdrawn_at", "is", null)
    .orderBy("notifications.id", "desc")
    .limit(limit)
    .execute();
}

export type NotificationRow = Awaited<ReturnType<typeof list>>[number];
