import type { Connection } from "../../src/db/connect.ts";
import * as readModel from "../../src/articles/read-model.ts";
import { inTransaction } from "../../src/db/transaction.ts";
import { rebalance } from "../../src/search/popularity-tiers.ts";
import * as analytics from "../../src/analytics/folding.ts";
import * as vocabulary from "../../src/search/vocabulary.ts";

const OF_ARTICLES = `
  update articles
  set comments_count = coalesce(comments, 0), last_comment_at = last_at, reactions_count = coalesce(reactions, 0)
  from (
    select article_id, count(*) as comments, max(created_at) as last_at
    from comments where not deleted group by article_id
  ) as commented
  full join (
    select article_id, count(*) as reactions from reactions where article_id is not null group by article_id
  ) as reacted using (article_id)
  where articles.id = article_id`;

const OF_COMMENTS = `
  update comments set reactions_count = counted.reactions
  from (
    select comment_id, count(*) as reactions from reactions where comment_id is not null group by comment_id
  ) as counted
  where comments.id = comment_id`;

/** So few at a time that a transaction stays short. */
const BATCH = 500;

/** Brings everything in line that the program keeps beside the rows themselves. Followers are counted by the database. */
export async function makeRight({ db, pool }: Connection, articles: number): Promise<void> {
  await pool.query(OF_ARTICLES);
  await pool.query(OF_COMMENTS);
  const now = new Date();
  for (let from = 1; from <= articles; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, articles - from + 1) }, (_, place) => from + place);
    await inTransaction(db, (tx) => readModel.refresh(tx, ids, { now }));
  }
  // The program does these in the background, also while something is measured.
  await vocabulary.foldChanges(db);
  await analytics.foldChanges(db);
  await rebalance(db);
  await pool.query("vacuum (analyze)");
}
