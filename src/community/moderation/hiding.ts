import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import * as events from "../../platform/events/events.ts";
import { type Changed, transition } from "../articles/transition.ts";

/** Texts with this reason come back with their author's account. Typed reasons end without a space. */
export const SPAM = "The account is marked as spam. ";

interface Hiding {
  userId: number;
  isHidden: boolean;
  reason: string;
  now: Date;
}

/**
 * Hides the texts of a person that readers see, or will at a date, and gives those that are hidden as spam this reason; or
 * shows those that are hidden for it. Returns their number. Articles go first: hiding one comment locks its article
 * before it.
 */
export async function setAllHidden(tx: Db, hiding: Hiding): Promise<number> {
  return (await setArticles(tx, hiding)) + (await setListings(tx, hiding)) + (await setComments(tx, hiding));
}

const isSpam = (column: RawBuilder<unknown>, reason: string) =>
  sql`${column} = ${SPAM} and ${reason !== SPAM}`;

/** Articles keep their dates. One whose canonical URL is taken stays hidden. */
async function setArticles(tx: Db, { userId, isHidden, reason, now }: Hiding): Promise<number> {
  const where = isHidden
    ? sql`(state in ('published', 'scheduled') or state <> 'deleted' and ${isSpam(sql`unpublish_reason`, reason)})`
    : sql`state in ('unpublished', 'draft') and unpublish_reason = ${reason} and not exists (
        select from articles as other
        where other.canonical_url = articles.canonical_url and other.state in ('published', 'scheduled'))`;
  const { rows } = await sql<Changed["before"]>`
    select * from articles where author_id = ${userId} and ${where} order by id for no key update`.execute(
    tx,
  );
  for (const before of rows) {
    const { published_at: date } = before;
    const shown = date !== null && date > now ? "scheduled" : "published";
    const hidden = before.state === "scheduled" || before.state === "draft" ? "draft" : "unpublished";
    const change = { state: isHidden ? hidden : shown, unpublish_reason: isHidden ? reason : null };
    await transition(tx, { before, change, now });
  }
  return rows.length;
}

async function setListings(tx: Db, { userId, isHidden, reason }: Hiding): Promise<number> {
  const where = isHidden
    ? sql`(published or ${isSpam(sql`hidden_reason`, reason)})`
    : sql`not published and hidden_reason = ${reason}`;
  const { rows } = await sql<{ id: number }>`
    update listings set published = ${!isHidden}, hidden_reason = ${isHidden ? reason : null}
    where author_id = ${userId} and ${where} returning id`.execute(tx);
  await events.recordAll(
    tx,
    rows.map(({ id }) => ["listing_updated", { listing_id: id, published: true }]),
  );
  return rows.length;
}

async function setComments(tx: Db, { userId, isHidden, reason }: Hiding): Promise<number> {
  const where = isHidden
    ? sql`(not hidden or ${isSpam(sql`hidden_reason`, reason)})`
    : sql`hidden_reason = ${reason}`;
  const { rows } = await sql<{ id: number; of: { article_id: number } | { episode_id: number } }>`
    update comments set hidden = ${isHidden}, hidden_reason = ${isHidden ? reason : null} where id in (
      select id from comments where author_id = ${userId} and not deleted and ${where} order by id for no key update)
    returning id, json_strip_nulls(json_build_object('article_id', article_id, 'episode_id', episode_id)) as of`.execute(
    tx,
  );
  await events.recordAll(
    tx,
    rows.map(({ id, of }) => ["comment_updated", { comment_id: id, ...of }]),
  );
  return rows.length;
}
