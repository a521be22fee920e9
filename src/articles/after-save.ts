import type { Db } from "../db/connect.ts";
import * as events from "../events/events.ts";
import * as readModel from "./read-model.ts";

interface Created {
  id: number;
  state: string;
  now: Date;
  /** Published elsewhere too long ago to be news. */
  isOld?: boolean | undefined;
}

export async function afterCreation(tx: Db, { id, state, now, isOld }: Created): Promise<void> {
  const published = state === "published";
  const publication = { article_id: id, ...(isOld && { again: true }) };
  await events.recordAll(tx, [
    ["article_created", { article_id: id, published }],
    ...(published ? [["article_published", publication] as const] : []),
  ]);
  if (published) await refresh(tx, id, { now, areNew: true });
}

interface Step {
  id: number;
  from: string;
  to: string;
  now: Date;
}

/** Last in its transaction. */
export async function afterChange(tx: Db, { id, from, to, now }: Step): Promise<void> {
  const wasPublished = from === "published";
  const isPublished = to === "published";
  const published = wasPublished || isPublished;
  await events.record(tx, "article_updated", { article_id: id, published });
  if (isPublished && !wasPublished) {
    const again = from === "unpublished";
    await events.record(tx, "article_published", { article_id: id, ...(again && { again }) });
  }
  if (wasPublished && !isPublished) await events.record(tx, "article_unpublished", { article_id: id });
  if (published) await refresh(tx, id, { now });
}

/** Last in a transaction. */
export async function refresh(tx: Db, id: number, options: { now: Date; areNew?: boolean }): Promise<void> {
  const changes = readModel.noChanges();
  await readModel.project(tx, [id], { ...options, changes });
  await readModel.applyCounts(tx, changes);
}
