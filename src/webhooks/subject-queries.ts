import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Whose article this is, also when it is deleted. */
export async function authorOfArticle(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom("articles").select("author_id").where("id", "=", id).executeTakeFirst();
  return row?.author_id;
}

export async function authorOfComment(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom("comments").select("author_id").where("id", "=", id).executeTakeFirst();
  return row?.author_id ?? undefined;
}

/** Whether a reaction wasn't taken back. */
export async function hasReaction(db: Db, id: number): Promise<boolean> {
  return (
    (await db.selectFrom("reactions").select("id").where("id", "=", id).executeTakeFirst()) !== undefined
  );
}

/** Whether somebody is among the followers of another, where those who are suspended are left out. */
export async function isFollower(db: Db, followerId: number, followedId: number): Promise<boolean> {
  const row = await db
    .selectFrom("follows")
    .innerJoin("users", "users.id", "follows.follower_id")
    .select("follows.id")
    .where("followed_user_id", "=", followedId)
    .where("follower_id", "=", followerId)
    .where("users.suspended", "=", false)
    .executeTakeFirst();
  return row !== undefined;
}

/** A person's endpoints that subscribe to this event and were made before it happened. */
export async function subscribed(
  db: Db,
  userId: number,
  { event, eventId }: { event: string; eventId: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("user_id", "=", userId)
    .where(sql<boolean>`${event} = any(events)`)
    .where("after_event", "<", eventId)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
