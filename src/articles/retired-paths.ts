import type { Db } from "../db/connect.ts";
import { anyInt, anyText } from "../db/values.ts";
import { pathUnder } from "../paths.ts";

/** Where these articles are found now, by number. */
export async function pathsOf(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await selectPlaces(db).where("articles.id", "=", anyInt(ids)).execute();
  return new Map(rows.map((row) => [row.id, pathOf(row)]));
}

/** The articles that are found at these paths now. */
export async function findCurrent(
  db: Db,
  paths: string[],
): Promise<Map<string, { id: number; slug: string }>> {
  const slugs = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const rows = await selectPlaces(db).where("articles.slug", "=", anyText(slugs)).execute();
  return new Map(rows.map((row) => [pathOf(row), row]));
}

/**
 * Makes articles answer at the paths they had before a change too. Belongs in the transaction of
 * every change of a slug, an author or an organization: `before` is what `pathsOf` said before it,
 * `ids` are all articles that were changed or created.
 */
export async function retire(
  tx: Db,
  { before, ids }: { before: Map<number, string>; ids: number[] },
): Promise<void> {
  if (ids.length === 0) return;
  const after = await pathsOf(tx, ids);
  const left = [...before].flatMap(([article_id, path]) =>
    after.get(article_id) === path ? [] : { article_id, path },
  );
  if (left.length > 0) {
    await tx
      .insertInto("retired_paths")
      .values(left)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await tx
    .deleteFrom("retired_paths")
    .where("path", "=", anyText([...after.values()]))
    .execute();
}

interface Place {
  slug: string;
  author: string;
  organization: string | null;
}

function selectPlaces(db: Db) {
  return db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .leftJoin("organizations", "organizations.id", "articles.organization_id")
    .select([
      "articles.id",
      "articles.slug",
      "users.username as author",
      "organizations.username as organization",
    ]);
}

function pathOf({ slug, author, organization }: Place): string {
  return pathUnder(organization ?? author, slug);
}
