import * as articles from "../articles/counts.ts";
import * as comments from "../comments/reaction-counts.ts";
import type { Db } from "../db/connect.ts";
import type { Identity } from "./queries.ts";

type Target = Pick<Identity, "article_id" | "comment_id">;

export interface CountChanges {
  articles: Map<number, number>;
  comments: Map<number, number>;
}

export function noChanges(): CountChanges {
  return { articles: new Map(), comments: new Map() };
}

export function changesBy(by: number, targets: readonly Target[]): CountChanges {
  const changes = noChanges();
  for (const target of targets) noteChange(changes, target, by);
  return changes;
}

export function noteChange(changes: CountChanges, { article_id, comment_id }: Target, by: number): void {
  if (article_id !== null) changes.articles.set(article_id, (changes.articles.get(article_id) ?? 0) + by);
  if (comment_id !== null) changes.comments.set(comment_id, (changes.comments.get(comment_id) ?? 0) + by);
}

/**
 * Locks articles and comments in one order. After the reactions are stored: a writer that waits for an import's
 * reaction then locks nothing else.
 */
export async function lockAll(tx: Db, changes: CountChanges): Promise<void> {
  await articles.lockAll(tx, [...changes.articles.keys()]);
  await comments.lockAll(tx, [...changes.comments.keys()]);
}

const BATCH = 500;

export async function countAll(tx: Db, changes: CountChanges, now: Date): Promise<void> {
  for (const part of inBatches(changes.articles)) await articles.countReactions(tx, part, now);
  for (const part of inBatches(changes.comments)) await comments.countReactions(tx, part);
}

function* inBatches(changes: ReadonlyMap<number, number>): Generator<Map<number, number>> {
  const ordered = [...changes].toSorted(([one], [other]) => one - other);
  for (let from = 0; from < ordered.length; from += BATCH) yield new Map(ordered.slice(from, from + BATCH));
}
