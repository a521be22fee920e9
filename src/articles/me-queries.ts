import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";
import { selectSummaries } from "./queries.ts";

/** Which of an author's own articles. */
export type Own = "published" | "unpublished" | "all";

/** A scheduled article is neither published nor unpublished. */
const STATES: Record<Own, readonly string[]> = {
  published: ["published"],
  unpublished: ["draft", "unpublished"],
  all: ["draft", "scheduled", "published", "unpublished"],
};

export type OwnRow = Awaited<ReturnType<typeof own>>[number];

/** An author's articles with their bodies: those without a date of publication first, then the newest. */
export function own(
  db: Db,
  authorId: number,
  { which, limit, offset }: { which: Own; limit: number; offset: number },
) {
  return (
    selectSummaries(db)
      .select(["articles.body_markdown", "articles.imported_page_views_count"])
      .where("articles.author_id", "=", authorId)
      .where("articles.state", "=", anyText(STATES[which]))
      // As in the index articles_own.
      .where(sql<boolean>`articles.state <> 'deleted'`)
      .orderBy(
        sql`(case when articles.state in ('published', 'scheduled') then articles.published_at end) desc nulls first`,
      )
      .orderBy("articles.created_at", "desc")
      .orderBy("articles.id", "desc")
      .limit(limit)
      .offset(offset)
      .execute()
  );
}
