import { sql } from "kysely";
import { type Actor, userOf } from "../actor.ts";
import { inBatches } from "../db/batches.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { anyInt } from "../db/values.ts";
import { invalid, notFound } from "../errors.ts";
import { articlePath } from "../paths.ts";
import * as events from "../events/events.ts";
import { mayEdit } from "./articles.ts";
import { isClaimed } from "./publication-status.ts";
import * as counting from "./counting.ts";
import * as readModel from "./read-model.ts";
import * as queries from "./queries.ts";
import * as series from "./series.ts";
import * as writing from "./writing.ts";

export function remove(actor: Actor, id: number): Promise<void> {
  return actor.run(async (tx) => {
    const existing = await writing.lock(tx, id);
    if (!existing || !mayEdit(userOf(actor), existing)) throw notFound();
    const row = await queries.findById(tx, id);
    if (!row) throw notFound();
    const published = existing.state === "published";
    const deletion = { state: "deleted", deleted_at: actor.now(), deleted_from: existing.state };
    await writing.update(tx, id, deletion);
    await events.record(tx, "article_destroyed", {
      article_id: id,
      author_id: existing.author_id,
      title: existing.title,
      path: articlePath(row),
      published,
    });
    if (published) await readModel.refresh(tx, [id], { now: actor.now() });
  });
}

/**
 * For the operator.
 * @throws AppError invalid when there is none, or its canonical URL is taken
 */
export function restore(actor: Actor, id: number) {
  return actor.run(async (tx) => {
    const deleted = await writing.lockAny(tx, id);
    if (deleted?.state !== "deleted") throw invalid(`There is no deleted article with the id ${id}.`);
    const { author_id, canonical_url } = deleted;
    const state = deleted.deleted_from ?? "draft";
    if (canonical_url !== null && isClaimed(state)) {
      await writing.checkFree(tx, { id, canonical_url }, { writerId: author_id, contactEmail: "" });
    }
    const change = { state, deleted_at: null, deleted_from: null };
    await writing.claimingCanonicalUrl("", () => writing.update(tx, id, change));
    await events.record(tx, "article_restored", { article_id: id });
    if (state === "published") {
      await events.record(tx, "article_published", { article_id: id, again: true });
      await readModel.refresh(tx, [id], { now: actor.now() });
    }
    const row = await queries.findById(tx, id);
    if (!row) throw new Error("a restored article is there");
    return { id, title: row.title, path: articlePath(row), state };
  });
}

const KEPT_DAYS = 30;

/** Dependent rows are removed too. */
const PURGE_BATCH = 100;

/** Returns their number. */
export function purge(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  return inBatches(PURGE_BATCH, () => inTransaction(db, (tx) => purgeBatch(tx, before)));
}

async function purgeBatch(tx: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ collection_id: number | null }>`
    with old as (
      select id from articles where state = 'deleted' and deleted_at <= ${before}
      order by deleted_at limit ${PURGE_BATCH} for update skip locked
    )
    delete from articles where id in (select id from old) returning collection_id`.execute(tx);
  await series.removeEmpty(
    tx,
    rows.flatMap(({ collection_id }) => collection_id ?? []),
  );
  return rows.length;
}

export async function removeByAuthors(tx: Db, authorIds: number[], now: Date): Promise<number> {
  const listed = await tx
    .updateTable("articles")
    .set({ state: "unpublished" })
    .where("author_id", "=", anyInt(authorIds))
    .where("state", "=", "published")
    .returning("id")
    .execute();
  const changes = await readModel.project(
    tx,
    listed.map(({ id }) => id),
    { now },
  );
  const removed = await tx
    .deleteFrom("articles")
    .where("author_id", "=", anyInt(authorIds))
    .executeTakeFirstOrThrow();
  await counting.apply(tx, changes);
  return Number(removed.numDeletedRows);
}
