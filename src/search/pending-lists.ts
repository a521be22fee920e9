import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Moves the entries that publications have appended to the text indexes to their places. */
export async function cleanPendingLists(db: Db): Promise<void> {
  await sql`
    select gin_clean_pending_list(inhrelid) from pg_inherits
    where inhparent in ('article_search_words'::regclass, 'article_search_head'::regclass)`.execute(db);
}
