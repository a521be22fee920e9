import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { anyInt } from "../db/values.ts";
import { invalid, notFound, unauthorized } from "../errors.ts";
import { articlePath } from "../paths.ts";
import * as events from "../events/events.ts";
import * as articles from "./articles.ts";
import { checkFree, claimingCanonicalUrl } from "./canonical-urls.ts";
import { afterChange, refresh } from "./effects.ts";
import * as readQueries from "./queries.ts";
import * as series from "./series.ts";
import { isClaimed, type State, unpublish as unpublished } from "./state.ts";
import { mayEdit, type Writer } from "./writing.ts";
import * as queries from "./writing-queries.ts";

interface Wish {
  id: number;
  writer: Writer;
  now: Date;
}

interface VersionedWish extends Wish {
  /** Refuses what has changed since the writer read it. */
  checkVersion?: () => Promise<void>;
}

/**
 * Takes an article back from its readers; what isn't published stays as it is, a scheduled one is a
 * draft again.
 * @throws AppError not_found, unauthorized for those who may only read it, precondition_failed
 */
export async function unpublish(tx: Db, { id, writer, now, checkVersion }: VersionedWish): Promise<void> {
  const existing = await queries.lock(tx, id);
  if (!existing) throw notFound();
  if (!mayUnpublish(writer, existing)) throw await refusalFor(tx, writer, id);
  await checkVersion?.();
  const after = unpublished({ state: existing.state as State, published_at: existing.published_at }, now);
  if (after.state === existing.state) return;
  await queries.update(tx, id, { ...after });
  await afterChange(tx, { id, from: existing.state, to: after.state, now });
}

function mayUnpublish(writer: Writer, article: queries.ArticleRow): boolean {
  if (mayEdit(writer, article)) return true;
  // Moderators don't see what was never public.
  return writer.role === "moderator" && ["published", "unpublished"].includes(article.state);
}

async function refusalFor(tx: Db, writer: Writer, id: number): Promise<Error> {
  const row = await readQueries.findById(tx, id);
  const isSeen = row && (row.state === "published" || (await articles.isReadableBy(tx, row, writer)));
  return isSeen ? unauthorized() : notFound();
}

/** Deletes an article; for a while it can be brought back. @throws AppError not_found */
export async function remove(tx: Db, { id, writer, now }: Wish): Promise<void> {
  const existing = await queries.lock(tx, id);
  if (!existing || !mayEdit(writer, existing)) throw notFound();
  const row = await readQueries.findById(tx, id);
  if (!row) throw notFound();
  const published = existing.state === "published";
  await queries.update(tx, id, { state: "deleted", deleted_at: now, deleted_from: existing.state });
  await events.record(tx, "article_destroyed", {
    article_id: id,
    author_id: existing.author_id,
    title: existing.title,
    path: articlePath(row),
    published,
  });
  if (published) await refresh(tx, id, { now });
}

/** What an article that was brought back is now. */
export interface Restored {
  id: number;
  title: string;
  path: string;
  state: string;
}

/**
 * Brings a deleted article back as it was.
 * @throws AppError invalid when there is none, or its canonical URL is another's by now
 */
export async function restore(db: Db, id: number, now: Date): Promise<Restored> {
  return inTransaction(db, async (tx) => {
    const deleted = await queries.lockDeleted(tx, id);
    if (!deleted) throw invalid(`There is no deleted article with the id ${id}.`);
    const { author_id, canonical_url } = deleted;
    const state = deleted.deleted_from ?? "draft";
    if (canonical_url !== null && isClaimed(state)) {
      await checkFree(tx, { canonicalUrl: canonical_url, id, writerId: author_id, contactEmail: "" });
    }
    const change = { state, deleted_at: null, deleted_from: null };
    await claimingCanonicalUrl("", () => queries.update(tx, id, change));
    await events.record(tx, "article_restored", { article_id: id });
    if (state === "published") {
      await events.record(tx, "article_published", { article_id: id, again: true });
      await refresh(tx, id, { now });
    }
    const row = await readQueries.findById(tx, id);
    if (!row) throw new Error("an article that was restored is there");
    return { id, title: row.title, path: articlePath(row), state };
  });
}

const KEPT_DAYS = 30;

/** Few, because what hangs on an article goes with it. */
const PURGE_BATCH = 100;

/** Removes for good what was deleted long ago; returns how many there were. */
export async function purge(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  for (let total = 0; ;) {
    const purged = await inTransaction(db, (tx) => purgeBatch(tx, before));
    total += purged;
    if (purged < PURGE_BATCH) return total;
  }
}

async function purgeBatch(tx: Db, before: Date): Promise<number> {
  const old = await tx
    .selectFrom("articles")
    .select(["id", "collection_id"])
    .where("state", "=", "deleted")
    .where("deleted_at", "<=", before)
    .orderBy("deleted_at")
    .limit(PURGE_BATCH)
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = old.map(({ id }) => id);
  await tx.deleteFrom("articles").where("id", "=", anyInt(ids)).execute();
  await series.removeEmpty(
    tx,
    old.flatMap(({ collection_id }) => collection_id ?? []),
  );
  return ids.length;
}
