import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { AppError } from "../../platform/errors.ts";
import { checkFree } from "./canonical-urls.ts";
import { transition } from "./transition.ts";
import type * as writing from "./writing.ts";

interface Hiding {
  userId: number;
  reason: string;
  now: Date;
}

/** Unpublishes what readers see of a person, or will at a date, which it keeps. Returns the number. */
export async function hideAll(tx: Db, { userId, reason: unpublish_reason, now }: Hiding): Promise<number> {
  const articles = await lockAll(tx, userId, sql`state in ('published', 'scheduled')`);
  for (const before of articles) {
    const state = before.state === "published" ? "unpublished" : "draft";
    await transition(tx, { before, change: { state, unpublish_reason }, now });
  }
  return articles.length;
}

/** Shows what was hidden for this reason, but for articles whose canonical URL is taken. */
export async function bringBack(tx: Db, { userId, reason, now }: Hiding): Promise<void> {
  const hidden = sql`state in ('unpublished', 'draft') and unpublish_reason = ${reason}`;
  for (const before of await lockAll(tx, userId, hidden)) {
    const { id, canonical_url, published_at } = before;
    const isFree = canonical_url === null || (await isUnclaimed(tx, { id, canonical_url }, userId));
    const state = published_at !== null && published_at > now ? "scheduled" : "published";
    if (isFree) await transition(tx, { before, change: { state, unpublish_reason: null }, now });
  }
}

const isUnclaimed = (tx: Db, of: { id: number; canonical_url: string }, writerId: number): Promise<boolean> =>
  checkFree(tx, of, { writerId, contactEmail: "" }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );

async function lockAll(tx: Db, authorId: number, where: RawBuilder<unknown>): Promise<writing.ArticleRow[]> {
  const { rows } = await sql<writing.ArticleRow>`
    select * from articles where author_id = ${authorId} and ${where} order by id for no key update`.execute(
    tx,
  );
  return rows;
}
