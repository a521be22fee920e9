import type { Reference } from "../records/declaration.ts";
import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";
import * as organizations from "../organizations/organizations.ts";
import { pathUnder } from "../paths.ts";
import { candidatesIn, type References } from "../text/references.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

/** The numbers of the articles with these slugs, without those that are deleted. */
async function idsBySlug(db: Db, slugs: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries.findIds(db, slugs);
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/** Records name articles by their slug. */
export const bySlug: Reference = { find: idsBySlug };

/** What these bodies refer to: the titles of published articles, and who is mentioned. */
export async function find(
  db: Db,
  markdowns: readonly string[],
  { baseUrl }: { baseUrl: string },
): Promise<References> {
  const candidates = markdowns.map((markdown) => candidatesIn(markdown, baseUrl));
  const usernames = [...new Set(candidates.flatMap(({ names }) => names))];
  const titles = await titlesOf(db, [...new Set(candidates.flatMap(({ paths }) => paths))]);
  const people = await users.idsByUsername(db, usernames);
  const groups = await organizations.idsByUsername(db, usernames);
  return { baseUrl, titles, names: new Set([...people.keys(), ...groups.keys()]) };
}

async function titlesOf(db: Db, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const slugs = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const rows = await db
    .selectFrom("articles")
    .innerJoin("users", "users.id", "articles.author_id")
    .leftJoin("organizations", "organizations.id", "articles.organization_id")
    .select(["articles.slug", "articles.title", "users.username", "organizations.username as organization"])
    .where("articles.slug", "=", anyText(slugs))
    .where("articles.state", "=", "published")
    .execute();
  const titles = rows.map(({ slug, title, username, organization }): [string, string] => [
    pathUnder(organization ?? username, slug),
    title,
  ]);
  const wanted = new Set(paths);
  return new Map(titles.filter(([path]) => wanted.has(path)));
}
