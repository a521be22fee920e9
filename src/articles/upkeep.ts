import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { isPassing } from "../db/failures.ts";
import { inTransaction } from "../db/transaction.ts";
import { anyInt } from "../db/values.ts";
import * as events from "../events/events.ts";
import * as search from "../search/rows.ts";
import * as settings from "../settings/settings.ts";
import * as queries from "./queries.ts";
import * as readModel from "./read-model.ts";

/** Their words are cut into tokens in this thread, while requests wait. */
const PUBLISH_BATCH = 20;

/**
 * Publishes each due article once, in any number of processes, and returns the number.
 * @throws the first failure, at the end
 */
export async function publishDue(db: Db, now: Date): Promise<number> {
  const failures = new Map<number, unknown>();
  let [total, limit] = [0, PUBLISH_BATCH];
  for (;;) {
    const { ids, failure } = await publishBatch(db, { now, limit, except: [...failures.keys()] });
    const [first] = ids;
    if (failure === undefined) total += ids.length;
    else if (first === undefined || isPassing(failure)) throw failure;
    else if (ids.length === 1) failures.set(first, failure);
    // One at a time, to find the failing article.
    else limit = 1;
    if (failure === undefined && ids.length < limit) break;
  }
  for (const failure of failures.values()) throw failure;
  return total;
}

export async function nextDue(db: Db): Promise<Date | undefined> {
  const next = await db
    .selectFrom("articles")
    .select("published_at")
    .where("state", "=", "scheduled")
    .orderBy("published_at")
    .limit(1)
    .executeTakeFirst();
  return next?.published_at ?? undefined;
}

interface Due {
  now: Date;
  limit: number;
  except: number[];
}

/** After a failure nothing is published. */
async function publishBatch(db: Db, due: Due): Promise<{ ids: number[]; failure?: unknown }> {
  let ids: number[] = [];
  try {
    await inTransaction(db, async (tx) => {
      ids = await lockDue(tx, due);
      if (ids.length > 0) await makePublic(tx, ids, due.now);
    });
    return { ids };
  } catch (failure) {
    return { ids, failure };
  }
}

async function lockDue(tx: Db, { now, limit, except }: Due): Promise<number[]> {
  // An import locks its tags to its end; the next run is soon.
  await sql`set local lock_timeout = '2s'`.execute(tx);
  const due = await tx
    .selectFrom("articles")
    .select("id")
    .where("state", "=", "scheduled")
    .where("published_at", "<=", now)
    .where(sql<boolean>`id <> all(${except}::int[])`)
    .orderBy("published_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return due.map(({ id }) => id);
}

async function makePublic(tx: Db, ids: number[], now: Date): Promise<void> {
  await tx.updateTable("articles").set({ state: "published" }).where("id", "=", anyInt(ids)).execute();
  const changes = readModel.noChanges();
  await readModel.project(tx, ids, { now, changes });
  for (const article_id of ids) await events.record(tx, "article_published", { article_id });
  await readModel.applyCounts(tx, changes);
}

type Whose = { author_id: number } | { organization_id: number } | { alias: string };

/** After a new name of the author or organization, or of a tag. Returns the number of articles. */
export async function refreshAll(db: Db, whose: Whose, now: Date): Promise<number> {
  for (let total = 0, after = 0; ;) {
    const ids = await inTransaction(db, (tx) => refreshBatch(tx, { whose, after, now }));
    const last = ids.at(-1);
    if (last === undefined) return total;
    total += ids.length;
    after = last;
  }
}

async function refreshBatch(
  tx: Db,
  { whose, after, now }: { whose: Whose; after: number; now: Date },
): Promise<number[]> {
  const ids = await queries.lockAllOf(tx, whose, { after, limit: PUBLISH_BATCH });
  const changes = readModel.noChanges();
  if ("alias" in whose) await queries.replaceAlias(tx, ids, whose.alias);
  await readModel.project(tx, ids, { now, changes });
  await readModel.applyCounts(tx, changes);
  return ids;
}

/** After a change of the rules of search, in small transactions. Returns the number of articles. */
export async function indexAgain(db: Db, signal?: AbortSignal): Promise<number> {
  const { search_language: language } = await settings.read(db);
  for (let total = 0; ;) {
    const outdated = await search.outdated(db, language, PUBLISH_BATCH);
    const indexed = await inTransaction(db, async (tx) => {
      const ids = await queries.lockFree(tx, outdated);
      await search.remove(tx, ids);
      await readModel.index(tx, ids);
      return ids.length;
    });
    // Concurrent writers index the others.
    total += indexed;
    if (indexed === 0 || signal?.aborted) return total;
  }
}

const COOL_BATCH = 500;

/** In small transactions. Returns the number of changed articles. */
export async function refreshHotness(db: Db, now: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const cooled = await inTransaction(db, (tx) => coolBatch(tx, now));
    total += cooled;
    if (cooled < COOL_BATCH) return total;
  }
}

async function coolBatch(tx: Db, now: Date): Promise<number> {
  const current = readModel.hotness(sql.ref("score"), sql.ref("fresh_from"), now);
  const { rows } = await sql<{ cooled: number }>`
    with due as (
      select article_id, ${current} as hotness from published_articles
      where hotness <> score and hotness <> ${current}
      order by article_id limit ${COOL_BATCH} for update skip locked
    ), cooled as (
      update published_articles set hotness = due.hotness from due
      where published_articles.article_id = due.article_id returning due.article_id
    ), tagged as (
      update article_tags set hotness = due.hotness from due
      where article_tags.article_id = due.article_id
    )
    select count(*)::int as cooled from cooled`.execute(tx);
  return rows[0]?.cooled ?? 0;
}
