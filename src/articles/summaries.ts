import { type Fragment, fragmentOf, type Fragments } from "../cache/fragments.ts";
import type { Db } from "../db/connect.ts";
import * as queries from "./queries.ts";
import * as view from "./view.ts";

export interface Ref {
  article_id: number;
  /** A bigint, so a text. */
  version: string;
}

/** Summaries as JSON, in the order of `refs`. */
export async function summaries(db: Db, refs: Ref[], options: SummaryOptions): Promise<Fragment[]> {
  const known = await summariesById(db, refs, options);
  // An article that went away between the two queries is left out.
  return refs.map((ref) => known.get(ref.article_id)).filter((summary) => summary !== undefined);
}

type SummaryOptions = view.ViewOptions & { fragments: Fragments };

/**
 * The same by number, for those that are still there. A summary that was made before is used again as long as
 * the article's version stands; the year is part of its key because dates are written differently in another year.
 */
export async function summariesById(
  db: Db,
  refs: readonly Ref[],
  { fragments, ...options }: SummaryOptions,
): Promise<Map<number, Fragment>> {
  const year = options.now.getUTCFullYear();
  const known = new Map<number, Fragment>();
  const missing: number[] = [];
  for (const { article_id, version } of refs) {
    const summary = fragments.get(keyOf(article_id, version, year));
    if (summary) known.set(article_id, summary);
    else missing.push(article_id);
  }
  const rows = missing.length > 0 ? await queries.summaries(db, missing) : [];
  for (const row of rows) {
    const summary = fragmentOf(JSON.stringify(view.summary(row, options)));
    fragments.set(keyOf(row.id, row.version, year), summary);
    known.set(row.id, summary);
  }
  return known;
}

function keyOf(id: number, version: string, year: number): string {
  return `article:${id}:${version}:${year}`;
}
