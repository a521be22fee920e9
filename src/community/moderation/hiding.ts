import { sql } from "kysely";
import { type Operator, operator } from "../../http/actor.ts";
import * as articles from "../articles/articles.ts";
import * as comments from "../comments/comments.ts";
import type { Db } from "../../platform/db/connect.ts";
import * as listings from "../listings/listings.ts";

const HIDE = {
  articles: (actor: Operator, id: number) =>
    articles.unpublish(actor, { id, reason: "The account was suspended" }),
  listings: listings.unpublish,
  comments: (actor: Operator, id: number) => comments.setHidden(actor, { id, hidden: true }),
};

/** Hides what readers see of a person, or will at a date. Returns the number; a second run does what is left. */
export async function hideContent(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ kind: keyof typeof HIDE; id: number }>`
    select 'articles' as kind, id from articles where author_id = ${userId} and state in ('published', 'scheduled')
    union all select 'listings', id from listings where author_id = ${userId} and published
    union all select 'comments', id from comments where author_id = ${userId} and not deleted and not hidden`.execute(
    db,
  );
  for (const { kind, id } of rows) await HIDE[kind](operator(db), id);
  return rows.length;
}
