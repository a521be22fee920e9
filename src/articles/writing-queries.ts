import { type Selectable, sql, type Updateable } from "kysely";
import type { Articles } from "../db/tables.ts";
import type { Db } from "../db/connect.ts";
import { rowsOf } from "../db/rows.ts";
import { violatedUnique } from "../db/failures.ts";

export type ArticleRow = Selectable<Articles>;

/** Deleted or not. References may still be added, as by a long import. */
export const { insertWithSlug, update, lock: lockAny } = rowsOf("articles");

/** Undefined for a deleted article. */
export async function lock(tx: Db, id: number): Promise<ArticleRow | undefined> {
  const row = await lockAny(tx, id);
  return row?.state === "deleted" ? undefined : row;
}

/** With the first free slug. */
export async function updateWithSlug(
  tx: Db,
  { id, change }: { id: number; change: Updateable<Articles> },
  slugs: Generator<string, never>,
): Promise<void> {
  for (const slug of slugs) {
    await sql`savepoint slug`.execute(tx);
    try {
      await update(tx, id, { ...change, slug });
      await sql`release savepoint slug`.execute(tx);
      return;
    } catch (error) {
      if (violatedUnique(error) !== "articles_slug_key") throw error;
      await sql`rollback to savepoint slug`.execute(tx);
    }
  }
}
