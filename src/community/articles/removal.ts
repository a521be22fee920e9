import { sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { inBatches } from "../../platform/db/batches.ts";
import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { anyInt } from "../../platform/db/values.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { articlePath } from "../../platform/paths.ts";
import * as log from "../log/log.ts";
import { requireOver } from "../users/moderation.ts";
import { mayEdit, missing, requireUnpublisher } from "./articles.ts";
import { checkFree } from "./canonical-urls.ts";
import { isClaimed, isHeld, unpublish } from "./publication-status.ts";
import * as counting from "./counting.ts";
import * as series from "./series.ts";
import { transition } from "./transition.ts";
import * as writing from "./writing.ts";

/** @param staff an act of moderation, which moderators may do too */
export function remove(actor: Actor<void>, id: number, staff?: { reason: string }): Promise<void> {
  return actor.run(async (tx) => {
    const existing = await writing.lock(tx, id);
    if (!existing || (actor.user && !staff && !mayEdit(actor.user, existing))) throw missing(actor, id);
    if (staff && actor.user) await requireUnpublisher(tx, actor.user, existing);
    const isOwn = !staff && actor.user?.id === existing.author_id;
    if (!isOwn) await requireOver(tx, actor, existing.author_id);
    // What staff remove comes back unpublished, if its author restores it.
    const isHeld = !isOwn && isClaimed(existing.state) && actor.user;
    const change = {
      state: "deleted",
      deleted_at: actor.now(),
      deleted_from: existing.state,
      ...(isHeld && { unpublish_reason: staff?.reason ?? "" }),
    };
    const entry = { act: "delete_article", on: { kind: "article", id }, ...staff } as const;
    if (!isOwn) await log.record(tx, actor, entry);
    await transition(tx, { before: existing, change, now: actor.now() });
  });
}

export interface Restored {
  id: number;
  title: string;
  path: string;
  state: string;
}

/**
 * Restores a deleted article for its author, admins or the operator, who also publishes one that staff unpublished.
 * @param staff an act of moderation, which takes back what staff did and nothing else
 * @throws AppError not_found, or invalid when there is none, or its canonical URL is taken
 */
export function restore(actor: Actor<Restored>, id: number, staff?: { reason: string }): Promise<Restored> {
  return actor.run(async (tx) => {
    const before = await writing.lockAny(tx, id);
    const isDeleted = before?.state === "deleted";
    if (staff && before) await requireOver(tx, actor, before.author_id);
    if (actor.user && !staff && !(isDeleted && mayEdit(actor.user, before))) throw notFound();
    if (!before || !(isDeleted ? !staff || isTaken(before) : isHeld(before)))
      throw invalid(`There is no deleted article with the id ${id}, nor one that staff unpublished.`);
    const { author_id, canonical_url, deleted_from, published_at, unpublish_reason } = before;
    const was = { state: deleted_from ?? before.state, published_at, unpublish_reason };
    // What staff deleted comes back unpublished, unless they restore it themselves.
    const isKept = unpublish_reason !== null && actor.user?.role !== "admin" && actor.user && !staff;
    const change = !isDeleted
      ? { state: dated(published_at, actor.now()), unpublish_reason: null }
      : {
          ...(isKept ? unpublish(was, null, actor.now()) : was),
          ...(!isKept && isClaimed(was.state) && { unpublish_reason: null }),
          deleted_at: null,
          deleted_from: null,
        };
    const { state } = change;
    if (canonical_url !== null && isClaimed(state)) {
      await checkFree(tx, { id, canonical_url }, { writerId: author_id, contactEmail: "" });
    }
    if (actor.user?.id !== author_id)
      await log.record(tx, actor, { act: "restore_article", on: { kind: "article", id }, ...staff });
    const row = await transition(tx, { before, change, now: actor.now() });
    return { id, title: row.title, path: articlePath(row), state };
  });
}

/** Whether readers saw it, or would have, when staff deleted it. */
const isTaken = ({ deleted_from, unpublish_reason }: writing.ArticleRow) =>
  unpublish_reason !== null && deleted_from !== null && isClaimed(deleted_from);

const dated = (date: Date | null, now: Date) =>
  date === null ? "draft" : date > now ? "scheduled" : "published";

/** How long a deleted article can be restored. */
export const KEPT_DAYS = 30;

/** A batch is small, because dependent rows are removed too. */
const PURGE_BATCH = 100;

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

export async function removeByAuthors(tx: Db, authorIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ tag_id: number | null; articles: number }>`
    with listed as (
      select id from articles where author_id = ${anyInt(authorIds)} and state = 'published'
    )
    select tag_id, count(*)::int as articles from article_tags join listed on article_id = id group by tag_id
    union all select null, count(*)::int from listed`.execute(tx);
  const changes = counting.noChanges();
  for (const { tag_id, articles } of rows) {
    if (tag_id === null) changes.published = -articles;
    else changes.tags.set(tag_id, -articles);
  }
  const removed = await tx
    .deleteFrom("articles")
    .where("author_id", "=", anyInt(authorIds))
    .returning("id")
    .execute();
  await counting.apply(tx, changes);
  return removed.map(({ id }) => id);
}
