import type { Fragments } from "../cache/fragments.ts";
import type { Db } from "../db/connect.ts";
import * as queries from "./queries.ts";
import * as view from "./view.ts";

export interface Ref {
  article_id: number;
  /** A bigint, so a text. */
  version: string;
}

/** The JSON text of summaries, in the order of `refs`. */
export async function texts(db: Db, refs: Ref[], options: TextOptions): Promise<string[]> {
  const known = await textsById(db, refs, options);
  // An article that went away between the two queries is left out.
  return refs.map((ref) => known.get(ref.article_id)).filter((text) => text !== undefined);
}

type TextOptions = view.ViewOptions & { fragments: Fragments };

/**
 * The same by number, for those that are still there. Text made before is used again as long as the
 * article's version stands; the year is part of its name because dates are written differently in
 * another year.
 */
export async function textsById(
  db: Db,
  refs: readonly Ref[],
  { fragments, ...options }: TextOptions,
): Promise<Map<number, string | undefined>> {
  const key = ({ article_id, version }: Ref) =>
    `article:${article_id}:${version}:${options.now.getUTCFullYear()}`;
  const known = new Map(refs.map((ref) => [ref.article_id, fragments.get(key(ref))]));
  const missing = refs.map((ref) => ref.article_id).filter((id) => known.get(id) === undefined);
  const rows = missing.length > 0 ? await queries.summaries(db, missing) : [];
  for (const row of rows) {
    const text = JSON.stringify(view.summary(row, options));
    fragments.set(key({ article_id: row.id, version: row.version }), text);
    known.set(row.id, text);
  }
  return known;
}
