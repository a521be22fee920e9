import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { tryLock } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { anyInt } from "../db/values.ts";
import type { SortKey } from "./matches.ts";

/** The target number of articles in a tier and those above it; the last tier holds the rest. */
const TIER_ENDS: readonly number[] = [1_024, 5_120, 21_504, 87_040, 349_184];

/** A smaller deviation isn't worth writing whole vectors. */
const SLACK = 1 / 8;

/** Publications hardly wait. */
const MOVE_BATCH = 100;

/**
 * Moves articles between the tiers, which every writer of rows has locked as shared, until each has about its size, and returns the number. Each transaction moves an
 * end together with the articles it passes, so the order through the tiers is always exact.
 */
export async function rebalance(
  db: Db,
  { ends = TIER_ENDS, signal }: { ends?: readonly number[]; signal?: AbortSignal } = {},
): Promise<number> {
  let moved = 0;
  const move = async (step: Step, tier: number) => {
    const target = await placeOf(db, ends[tier] as number);
    for (let batch = 1; batch !== 0; moved += batch) {
      if (signal?.aborted) return;
      batch = await inTransaction(db, async (tx) =>
        (await tryLock(tx, "searchTiers")) ? step(tx, tier, target) : 0,
      );
    }
  };
  // From the far end of each direction, so that an article that passes several ends moves once.
  for (const tier of [...ends.keys()].toReversed()) {
    const lowest = await placeOf(db, (ends[tier] as number) * (1 + SLACK));
    const end = lowest && (await endOf(db, tier));
    if (lowest && (!end || isBefore(lowest, end))) await move(raise, tier);
  }
  for (const tier of ends.keys()) {
    const end = await endOf(db, tier);
    const highest = end && (await placeOf(db, (ends[tier] as number) * (1 - SLACK)));
    if (end && (!highest || isBefore(end, highest))) await move(lower, tier);
  }
  return moved;
}

/** Returns the number of passed articles. */
type Step = (tx: Db, tier: number, target: SortKey | undefined) => Promise<number>;

/** The least popular articles of the tier go to the next one. */
async function raise(tx: Db, tier: number, target: SortKey | undefined): Promise<number> {
  const end = await endOf(tx, tier);
  if (!target || (end && !isBefore(target, end))) return 0;
  const { rows } = await sql<SortKey>`
    select reactions, published_at, article_id from published_articles
    where (reactions, published_at, article_id) < ${rowOf(target)}
      ${end ? sql`and (reactions, published_at, article_id) >= ${rowOf(end)}` : sql``}
    order by reactions, published_at, article_id limit ${MOVE_BATCH}`.execute(tx);
  const last = rows.at(-1);
  if (!last) return 0;
  await put(tx, rows, tier + 1);
  const next = await sql<SortKey>`
    select reactions, published_at, article_id from published_articles
    where (reactions, published_at, article_id) > ${rowOf(last)}
    order by reactions, published_at, article_id limit 1`.execute(tx);
  const newEnd = next.rows[0] ?? target;
  // Tiers above that went further down end here too, and those in between are empty.
  for (let above = 0; above <= tier; above += 1) {
    const other = await endOf(tx, above);
    if (!other || isBefore(newEnd, other)) await setEnd(tx, above, newEnd);
  }
  return rows.length;
}

/** The most popular articles below come up; without a target, all of them. */
async function lower(tx: Db, tier: number, target: SortKey | undefined): Promise<number> {
  const end = await endOf(tx, tier);
  if (!end || (target && !isBefore(end, target))) return 0;
  const { rows } = await sql<SortKey>`
    select reactions, published_at, article_id from published_articles
    where (reactions, published_at, article_id) < ${rowOf(end)}
      ${target ? sql`and (reactions, published_at, article_id) >= ${rowOf(target)}` : sql``}
    order by reactions desc, published_at desc, article_id desc limit ${MOVE_BATCH}`.execute(tx);
  const newEnd = rows.at(-1);
  if (!newEnd) {
    await sql`delete from search_tiers where tier >= ${tier}`.execute(tx);
    return 0;
  }
  await put(tx, rows, tier);
  for (let below = tier; below < TIER_ENDS.length; below += 1) {
    const other = await endOf(tx, below);
    if (other && !isBefore(newEnd, other)) await setEnd(tx, below, newEnd);
  }
  return rows.length;
}

async function endOf(db: Db, tier: number): Promise<SortKey | undefined> {
  return db
    .selectFrom("search_tiers")
    .select(["reactions", "published_at", "article_id"])
    .where("tier", "=", tier)
    .executeTakeFirst();
}

async function setEnd(tx: Db, tier: number, { reactions, published_at, article_id }: SortKey): Promise<void> {
  await tx
    .insertInto("search_tiers")
    .values({ tier, reactions, published_at, article_id })
    .onConflict((conflict) => conflict.column("tier").doUpdateSet({ reactions, published_at, article_id }))
    .execute();
}

async function placeOf(db: Db, count: number): Promise<SortKey | undefined> {
  return db
    .selectFrom("published_articles")
    .select(["reactions", "published_at", "article_id"])
    .orderBy("reactions", "desc")
    .orderBy("published_at", "desc")
    .orderBy("article_id", "desc")
    .offset(Math.round(count) - 1)
    .limit(1)
    .executeTakeFirst();
}

async function put(tx: Db, places: readonly SortKey[], tier: number): Promise<void> {
  const ids = places.map(({ article_id }) => article_id);
  await tx.updateTable("article_search").set({ tier }).where("article_id", "=", anyInt(ids)).execute();
}

function rowOf({ reactions, published_at, article_id }: SortKey): RawBuilder<unknown> {
  return sql`(${reactions}::int, ${published_at}::timestamptz, ${article_id}::int)`;
}

function isBefore(one: SortKey, other: SortKey): boolean {
  const difference =
    one.reactions - other.reactions ||
    one.published_at.getTime() - other.published_at.getTime() ||
    one.article_id - other.article_id;
  return difference > 0;
}
