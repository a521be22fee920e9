import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Articles } from "../db/tables.ts";
import type { Db } from "../db/connect.ts";
import { countRows } from "../db/values.ts";
import { violatedUnique } from "../db/failures.ts";

export type ArticleRow = Selectable<Articles>;

/**
 * The article, held until the transaction ends; deleted ones are none. What refers to it may still be
 * added: an import does so, and may take long.
 */
export function lock(tx: Db, id: number): Promise<ArticleRow | undefined> {
  return tx
    .selectFrom("articles")
    .selectAll()
    .where("id", "=", id)
    .where("state", "<>", "deleted")
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export function lockDeleted(tx: Db, id: number): Promise<ArticleRow | undefined> {
  return tx
    .selectFrom("articles")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "deleted")
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** How many articles a person created since then that were published at once, also those deleted again. */
export function countPublishedSince(db: Db, authorId: number, since: Date): Promise<number> {
  return countRows(
    db
      .selectFrom("articles")
      .where("author_id", "=", authorId)
      .where("created_at", ">", since)
      .where(sql<boolean>`'published' in (state, deleted_from)`),
  );
}

export async function hasTitleSince(db: Db, authorId: number, title: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom("articles")
    .select("id")
    .where("author_id", "=", authorId)
    .where("created_at", ">", since)
    .where("title", "=", title)
    .where("state", "<>", "deleted")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a new article under the first of these slugs that is free, and returns its number. */
export async function insert(
  tx: Db,
  article: Omit<Insertable<Articles>, "slug">,
  slugs: Generator<string, never>,
): Promise<number> {
  for (const slug of slugs) {
    const inserted = await tx
      .insertInto("articles")
      .values({ ...article, slug })
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) return inserted.id;
  }
  throw new Error("the slugs have come to an end");
}

export async function update(tx: Db, id: number, change: Updateable<Articles>): Promise<void> {
  await tx.updateTable("articles").set(change).where("id", "=", id).execute();
}

/** The same, and gives the article the first of these slugs that is free. */
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

/** The published or scheduled article that has a canonical URL, but for this one. */
export function holderOf(db: Db, canonicalUrl: string, otherThan: number | undefined) {
  return (
    db
      .selectFrom("articles")
      .select(["id", "author_id", "title"])
      .where("canonical_url", "=", canonicalUrl)
      // As in the index, and no parameters, so that the planner knows it for the index's condition.
      .where(sql<boolean>`state in ('published', 'scheduled')`)
      .where("id", "<>", otherThan ?? 0)
      .executeTakeFirst()
  );
}

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
