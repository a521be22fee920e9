import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Slice } from "../../platform/db/values.ts";

export interface SavedRow {
  id: number;
  status: string;
  created_at: Date;
  article_id: number;
  /** A bigint as text. */
  version: string;
}

interface SavedSlice extends Slice {
  userId: number;
  now: Date;
  /** Whether it is the archive that is listed. */
  isArchive?: boolean;
}

export async function list(db: Db, slice: SavedSlice): Promise<SavedRow[]> {
  const { rows } = await listQuery(slice).execute(db);
  return rows;
}

/** The conditions on category and status are those of the index reactions_reading_list. */
export function listQuery({
  userId,
  now,
  isArchive = false,
  limit,
  offset,
}: SavedSlice): RawBuilder<SavedRow> {
  return sql<SavedRow>`
    select page.id, page.status, page.created_at, page.article_id, articles.version
    from (
      select saved.id, saved.status, saved.created_at, saved.article_id
      from reactions as saved
      where saved.user_id = ${userId} and saved.category = 'readinglist' and saved.status ${sql.raw(isArchive ? "=" : "<>")} 'archived'
        and exists (select from published_articles as listed
          where listed.article_id = saved.article_id and listed.published_at <= ${now})
      order by saved.created_at desc, saved.id desc
      limit ${limit} offset ${offset}
    ) as page
    join articles on articles.id = page.article_id
    order by page.created_at desc, page.id desc`;
}

/** Archives an article or takes it out of the archive. Returns whether that was a change. */
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
