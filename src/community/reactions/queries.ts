import { type Selectable, sql } from "kysely";
import { idCode } from "../comments/id-codes.ts";
import type { Db } from "../../platform/db/connect.ts";
import { dropRepeated, reassign as reassignRows, type Reassignment } from "../../platform/db/reassign.ts";
import { rowsOf, valuesOf } from "../../platform/db/rows.ts";
import type { Reactions } from "../../platform/db/tables.ts";
import { anyInt } from "../../platform/db/values.ts";

export type ReactionRow = Selectable<Reactions>;

export const { insertIfNew } = rowsOf("reactions");

export type Identity = Pick<ReactionRow, "user_id" | "article_id" | "comment_id" | "category">;

export async function remove(tx: Db, identity: Identity): Promise<number | undefined> {
  const { user_id, article_id, comment_id, category } = identity;
  const row = await tx
    .deleteFrom("reactions")
    .where("user_id", "=", user_id)
    .where("category", "=", category)
    .where((eb) =>
      article_id === null ? eb("comment_id", "=", comment_id) : eb("article_id", "=", article_id),
    )
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** Finds these reactions, and other ones of these people to the same content. */
export function findAmong(tx: Db, wanted: readonly Identity[]): Promise<ReactionRow[]> {
  return tx
    .selectFrom("reactions")
    .selectAll()
    .where("user_id", "=", anyInt(valuesOf(wanted, "user_id")))
    .where((eb) =>
      eb.or([
        eb("article_id", "=", anyInt(valuesOf(wanted, "article_id"))),
        eb("comment_id", "=", anyInt(valuesOf(wanted, "comment_id"))),
      ]),
    )
    .execute();
}

export function removeOf(tx: Db, userIds: readonly number[]): Promise<ReactionRow[]> {
  return tx.deleteFrom("reactions").where("user_id", "=", anyInt(userIds)).returningAll().execute();
}

export async function reassign(tx: Db, people: Reassignment) {
  const place = ["reactions", "user_id"] as const;
  const same = ["article_id", "comment_id", "category"];
  const dropped = await dropRepeated<ReactionRow>(tx, place, { ...people, same });
  return { dropped, moved: await reassignRows(tx, place, people) };
}

/** Reactions after an id, without those to deleted content. */
export async function pageOfRecords(db: Db, afterId: number, limit: number) {
  const rows = await db
    .selectFrom("reactions")
    .innerJoin("users", "users.id", "reactions.user_id")
    .leftJoin("comments", "comments.id", "reactions.comment_id")
    .leftJoin("articles", (join) =>
      join.on(sql<boolean>`articles.id = coalesce(reactions.article_id, comments.article_id)`),
    )
    .select(["reactions.id", "users.username as user", "category", "reactions.created_at", "status"])
    .select(["reactions.comment_id", "articles.slug"])
    .where("reactions.id", ">", afterId)
    // A comment on an episode has no article.
    .where(sql<boolean>`articles.state is distinct from 'deleted'`)
    .orderBy("reactions.id")
    .limit(limit)
    .execute();
  return rows.map(({ comment_id, slug, ...row }) => ({
    ...row,
    ...(comment_id === null ? { article: slug ?? "" } : { comment: idCode(comment_id) }),
  }));
}
