import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { holdTiers } from "../search/tiers.ts";
import { hotness } from "./hotness.ts";

/** Whether readers see an article, which stays in the database until the transaction ends; undefined when there is none. */
export async function isShown(tx: Db, id: number): Promise<boolean | undefined> {
  const row = await tx
    .selectFrom("articles")
    .select("state")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  return row && row.state === "published";
}

/**
 * Adds to the number of reactions of articles that this transaction holds, wherever it is kept: with
 * the article and, if it is published, in lists, tags and search. Nothing of their text is written
 * again, and a search row stays where it is unless the article gets into another tier.
 */
export async function countReactions(tx: Db, changes: ReadonlyMap<number, number>, now: Date): Promise<void> {
  const changed = [...changes].filter(([, delta]) => delta !== 0);
  if (changed.length === 0) return;
  const ids = changed.map(([id]) => id);
  const deltas = changed.map(([, delta]) => delta);
  await holdTiers(tx);
  await sql`
    with counted as (
      update articles set reactions_count = reactions_count + change.delta
      from unnest(${ids}::int[], ${deltas}::int[]) as change (id, delta)
      where articles.id = change.id
      returning articles.id, public_reactions_count as reactions, score
    ), listed as (
      update published_articles as present
      set reactions = counted.reactions, score = counted.score,
        hotness = ${hotness(sql.ref("counted.score"), sql.ref("present.fresh_from"), now)}
      from counted where present.article_id = counted.id
      returning present.article_id, present.published_at, present.reactions, present.hotness
    ), tagged as (
      update article_tags set reactions = listed.reactions, hotness = listed.hotness
      from listed where article_tags.article_id = listed.article_id
    )
    update article_search as found
    set reactions = listed.reactions,
      tier = search_tier_of(listed.reactions, listed.published_at, listed.article_id)
    from listed where found.article_id = listed.article_id`.execute(tx);
}
