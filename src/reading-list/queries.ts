import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Somebody's mark on an article that is published. */
export interface MarkRow {
  id: number;
  status: string;
  created_at: Date;
  article_id: number;
  /** The article's: a bigint, so a text. */
  version: string;
}

interface Part {
  userId: number;
  now: Date;
  limit: number;
  offset: number;
}

/** What somebody has saved and not archived, newest first, as far as it is published. */
export async function list(db: Db, part: Part): Promise<MarkRow[]> {
  const { rows } = await listQuery(part).execute(db);
  return rows;
}

/**
 * SQL for a page. The conditions on category and status are those of the index reactions_reading_list,
 * which holds a person's list in its order.
 */
export function listQuery({ userId, now, limit, offset }: Part): RawBuilder<MarkRow> {
  return sql<MarkRow>`
    select page.id, page.status, page.created_at, page.article_id, articles.version
    from (
      select mark.id, mark.status, mark.created_at, mark.article_id
      from reactions as mark
      where mark.user_id = ${userId} and mark.category = 'readinglist' and mark.status <> 'archived'
        and exists (select from published_articles as listed
          where listed.article_id = mark.article_id and listed.published_at <= ${now})
      order by mark.created_at desc, mark.id desc
      limit ${limit} offset ${offset}
    ) as page
    join articles on articles.id = page.article_id
    order by page.created_at desc, page.id desc`;
}

/** How many articles somebody has saved and not archived, published or not. */
export async function count(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom("reactions")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .where(sql<boolean>`category = 'readinglist' and status <> 'archived'`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Moves a mark from one side of the archive to the other, and tells whether there was one to move. */
export async function setArchived(
  tx: Db,
  { userId, articleId, archived }: { userId: number; articleId: number; archived: boolean },
): Promise<boolean> {
  const row = await tx
    .updateTable("reactions")
    .set({ status: archived ? "archived" : "valid" })
    .where("user_id", "=", userId)
    .where("article_id", "=", articleId)
    .where("category", "=", "readinglist")
    .where("status", archived ? "<>" : "=", "archived")
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
