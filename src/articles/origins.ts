import type { Db } from "../db/connect.ts";

export interface Origin {
  author: string;
  created_at: Date;
}

/** Who wrote the article with this slug, and when, also if it is deleted: an import recognizes its own by that. */
export function originOf(db: Db, slug: string): Promise<Origin | undefined> {
  return db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .select(["users.username as author", "articles.created_at"])
    .where("articles.slug", "=", slug)
    .executeTakeFirst();
}
