import * as articles from "../articles/reaction-counts.ts";
import * as comments from "../comments/reaction-counts.ts";
import type { Db } from "../db/connect.ts";
import type { Identity } from "./queries.ts";

/** What something is said of. */
type Target = Pick<Identity, "article_id" | "comment_id">;

/** By how much the numbers of reactions change, by article and by comment. */
export interface CountChanges {
  articles: Map<number, number>;
  comments: Map<number, number>;
}

export function noChanges(): CountChanges {
  return { articles: new Map(), comments: new Map() };
}

export function noteChange(changes: CountChanges, { article_id, comment_id }: Target, by: number): void {
  if (article_id !== null) changes.articles.set(article_id, (changes.articles.get(article_id) ?? 0) + by);
  if (comment_id !== null) changes.comments.set(comment_id, (changes.comments.get(comment_id) ?? 0) + by);
}

/** Keeps all that is reacted to until the transaction ends, in one order for everybody. */
export async function holdAll(tx: Db, targets: readonly Target[]): Promise<void> {
  await articles.hold(
    tx,
    targets.flatMap(({ article_id }) => article_id ?? []),
  );
  await comments.hold(
    tx,
    targets.flatMap(({ comment_id }) => comment_id ?? []),
  );
}

/** So many at a time, because each is written in several tables. */
const BATCH = 500;

/** Writes the changes down. */
export async function countAll(tx: Db, changes: CountChanges, now: Date): Promise<void> {
  for (const part of inBatches(changes.articles)) await articles.countReactions(tx, part, now);
  for (const part of inBatches(changes.comments)) await comments.countReactions(tx, part);
}

/** The same for one reaction. */
export function count(tx: Db, target: Target, { by, now }: { by: number; now: Date }): Promise<void> {
  const changes = noChanges();
  noteChange(changes, target, by);
  return countAll(tx, changes, now);
}

function* inBatches(changes: ReadonlyMap<number, number>): Generator<Map<number, number>> {
  const ordered = [...changes].toSorted(([one], [other]) => one - other);
  for (let from = 0; from < ordered.length; from += BATCH) yield new Map(ordered.slice(from, from + BATCH));
}
