import { type Selectable, sql } from "kysely";
import { idCode } from "../comments/id-codes.ts";
import type { Db } from "../db/connect.ts";
import { rowsOf } from "../db/rows.ts";
import type { Reactions } from "../db/tables.ts";
import { anyInt } from "../db/values.ts";

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

export async function findExisting(tx: Db, wanted: readonly Identity[]): Promise<ReactionRow[]> {
  const onArticles = wanted.filter(({ article_id }) => article_id !== null);
  const onComments = wanted.filter(({ comment_id }) => comment_id !== null);
  return [...(await findOn(tx, "article_id", onArticles)), ...(await findOn(tx, "comment_id", onComments))];
}

async function findOn(
  tx: Db,
  target: "article_id" | "comment_id",
  wanted: readonly Identity[],
): Promise<ReactionRow[]> {
  if (wanted.length === 0) return [];
  const column = sql.ref(`reactions.${target}`);
  const { rows } = await sql<ReactionRow>`
    select reactions.*
    from unnest(${wanted.map((one) => one[target])}::int[], ${wanted.map((one) => one.user_id)}::int[],
      ${wanted.map((one) => one.category)}::text[]) as wanted (target_id, user_id, category)
    join reactions on ${column} = wanted.target_id and reactions.user_id = wanted.user_id
      and reactions.category = wanted.category`.execute(tx);
  return rows;
}

export function removeOf(tx: Db, userIds: readonly number[]): Promise<ReactionRow[]> {
  return tx.deleteFrom("reactions").where("user_id", "=", anyInt(userIds)).returningAll().execute();
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
