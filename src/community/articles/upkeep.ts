import { sql } from "kysely";
import { inBatches } from "../../platform/db/batches.ts";
import type { Db } from "../../platform/db/connect.ts";
import { isPassing } from "../../platform/db/failures.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { createStep, drain } from "../../platform/events/outbox.ts";
import * as search from "../../search/rows.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as queries from "./queries.ts";
import * as readModel from "./read-model.ts";
import { transition } from "./transition.ts";
import * as writing from "./writing.ts";

export const NEXT_DUE = sql<Date | null>`(select min(published_at) from articles where state = 'scheduled')`;

/**
 * Publishes each due article once, in any number of processes, and returns the number.
 * @throws the first failure, at the end
 */
export function publishDue(db: Db, now: Date): Promise<number> {
  const failed: number[] = [];
  const step = createStep(db, {
    take: (tx) => lockDue(tx, now, failed),
    batch: 1,
    handle: async (tx, ids) => {
      for (const id of ids) await publish(tx, id, now);
    },
    postpone: async (id, _seconds, failure) => {
      // An import locks its tags to its end; the next run is soon.
      if (isPassing(failure)) throw failure;
      failed.push(id);
    },
  });
  return drain(step);
}

async function lockDue(tx: Db, now: Date, except: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from articles
    where state = 'scheduled' and published_at <= ${now} and id <> all(${except}::int[])
    order by published_at limit 1 for update skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}

async function publish(tx: Db, id: number, now: Date): Promise<void> {
  const before = await writing.lock(tx, id);
  if (before) await transition(tx, { before, change: { state: "published" }, now, isDue: true });
}

/** The articles of a batch. This thread cuts their words into tokens, while requests wait. */
const BATCH = 20;

export async function refreshAll(db: Db, whose: queries.Whose, now: Date): Promise<number> {
  for (let total = 0, after = 0; ;) {
    const ids = await inTransaction(db, async (tx) => {
      const locked = await queries.lockAllOf(tx, whose, { after, limit: BATCH });
      if ("alias" in whose) await queries.replaceAlias(tx, locked, whose.alias);
      await readModel.refresh(tx, locked, now);
      return locked;
    });
    const last = ids.at(-1);
    if (last === undefined) return total;
    total += ids.length;
    after = last;
  }
}

/** Indexes articles again when the rules of search change, in small transactions. Returns their number. */
export async function indexAgain(db: Db, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ;) {
    const { search_language: language } = await settings.read(db);
    const outdated = await search.outdated(db, language, BATCH);
    const indexed = await inTransaction(db, async (tx) => {
      const ids = await queries.lockFree(tx, outdated);
      await readModel.index(tx, ids);
      return ids.length;
    });
    total += indexed;
    if (indexed === 0 || signal?.aborted) return total;
  }
}

const COOL_BATCH = 500;

/** Cools articles down in small transactions. Returns the number of changed ones. */
export function refreshHotness(db: Db, now: Date): Promise<number> {
  return inBatches(COOL_BATCH, () => inTransaction(db, (tx) => coolBatch(tx, now)));
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
