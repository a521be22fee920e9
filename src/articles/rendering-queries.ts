import type { Db } from "../db/connect.ts";

/** What a body was rendered to, if it is still that of the article; held until the transaction ends. */
export function lockRendered(tx: Db, id: number, markdown: string) {
  return tx
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .select(["articles.state", "articles.body_html", "articles.description", "articles.renderer_version"])
    .select("users.name as author_name")
    .where("articles.id", "=", id)
    .where("articles.body_markdown", "=", markdown)
    .forUpdate("articles")
    .executeTakeFirst();
}

/** Replaces what was made of a body. */
export async function replaceHtml(
  tx: Db,
  { id, html, description, version }: { id: number; html: string; description: string; version: number },
): Promise<void> {
  await tx
    .updateTable("articles")
    .set({ body_html: html, description, renderer_version: version })
    .where("id", "=", id)
    .execute();
}
