import type { Db } from "../../platform/db/connect.ts";
import { anyText } from "../../platform/db/values.ts";

export interface Origin {
  id: number;
  slug: string;
  title: string;
  author: string;
  created_at: Date;
  state: string;
}

/**
 * Who wrote the articles with these slugs, and when, also deleted ones: an import recognizes its own by that.
 */
export async function originsOf(db: Db, slugs: string[]): Promise<Map<string, Origin>> {
  const rows = await db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .select([
      "articles.id",
      "articles.slug",
      "articles.title",
      "users.username as author",
      "articles.created_at",
      "articles.state",
    ])
    .where("articles.slug", "=", anyText(slugs))
    .execute();
  return new Map(rows.map((origin) => [origin.slug, origin]));
}
