import type { Db } from "../db/connect.ts";
import * as queries from "./queries.ts";
import type { Article } from "./schema.ts";
import * as view from "./view.ts";

/** What is left of an article that was deleted. */
export interface Remains {
  id: number;
  title: string;
  path: string;
}

/** An article as its author reads it, public or not; of a deleted one only what it was called. */
export async function asAuthorReads(
  db: Db,
  id: number,
  options: view.ViewOptions,
): Promise<Article | Remains | undefined> {
  const row = await queries.findById(db, id);
  if (row) return view.article(row, options);
  const deleted = await queries.findDeleted(db, id);
  return deleted && { id, title: deleted.title, path: view.pathOf(deleted) };
}
