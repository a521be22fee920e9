import { type Fragment, fragmentOf, type Fragments } from "../cache/fragments.ts";
import type { Context, Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import type { Answer } from "../http/answers.ts";
import type { Ref } from "../search/matches.ts";
import * as queries from "./queries.ts";
import * as view from "./view.ts";

/** The JSON of each article, in the order of `refs`. An article that was unpublished meanwhile is left out. */
export async function summaries(
  { config, db, now }: Context,
  { fragments }: Services,
  refs: readonly Ref[],
): Promise<Fragment[]> {
  const options = { fragments, baseUrl: config.baseUrl, now: now() };
  const known = await summariesById(db.replica, refs, options);
  return refs.flatMap(({ article_id }) => known.get(article_id) ?? []);
}

/**
 * The same by id. A cached summary is used as long as the article's version stands; the year is part of its key
 * because dates are written differently in another year.
 */
export async function summariesById(
  db: Db,
  refs: readonly Ref[],
  { fragments, ...options }: view.ViewOptions & { fragments: Fragments },
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

const [OPENING, COMMA, CLOSING] = Buffer.from("[,]") as unknown as [number, number, number];

/** A JSON array. Its version is made of the digests, which costs less than hashing all bytes. */
export function arrayOf(items: readonly Fragment[]): Pick<Answer, "body" | "version"> {
  const body = Buffer.allocUnsafe(items.reduce((length, { json }) => length + json.length + 1, 2));
  let end = 0;
  body[end++] = OPENING;
  for (const { json } of items) {
    if (end > 1) body[end++] = COMMA;
    end += json.copy(body, end);
  }
  body[end++] = CLOSING;
  return { body: body.subarray(0, end), version: items.map(({ digest }) => digest).join(" ") };
}
