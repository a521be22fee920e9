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

export async function countAll(tx: Db, changes: CountChanges, now: Date): Promise<void> {
  await articles.countReactions(tx, changes.articles, now);
  await comments.countReactions(tx, changes.comments);
}
