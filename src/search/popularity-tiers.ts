import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { tryLock } from "../db/locks.ts";
import { inTransaction } from "../db/transaction.ts";
import { anyInt, countRows } from "../db/values.ts";

/** The target number of articles in a tier and those above it; the last tier holds the rest. */
const TIER_ENDS: readonly number[] = [1_024, 5_120, 21_504, 87_040, 349_184];

/** A smaller deviation isn't worth writing whole vectors. */
const SLACK = 1 / 8;

/** Publications hardly wait. */
const MOVE_BATCH = 100;

/**
 * Moves articles between the tiers until each has about its size, and returns their number. Each transaction moves an
 * end together with the articles that it passes, so the order through the tiers is always exact.
 */
export async function rebalance(
  db: Db,
  { ends = TIER_ENDS, signal }: { ends?: readonly number[]; signal?: AbortSignal } = {},
): Promise<number> {
  let moved = 0;
  const move = async (tier: number, direction: Direction) => {
    const target = await placeOf(db, ends[tier] as number);
    for (let batch = 1; batch !== 0; moved += batch) {
      if (signal?.aborted) return;
      batch = await inTransaction(db, async (tx) =>
        // Writers of rows share the lock.
        (await tryLock(tx, "searchTiers")) ? moveEnd(tx, tier, { target, direction }) : 0,
      );
    }
  };
  // Each direction begins with its far end, so that an article that passes several ends moves once.
  for (const tier of [...ends.keys()].toReversed()) {
    const count = await countTo(db, await endOf(db, tier));
    if (count > Math.round((ends[tier] as number) * (1 + SLACK))) await move(tier, "up");
  }
  for (const tier of ends.keys()) {
    const end = await endOf(db, tier);
    const least = Math.round((ends[tier] as number) * (1 - SLACK));
    if (end && (await countTo(db, end)) < least) await move(tier, "down");
  }
  return moved;
}

/** Sets the ends for all published articles while few have rows. The caller holds the lock of the tiers alone. */
export async function placeEnds(tx: Db): Promise<void> {
  await tx.deleteFrom("search_tiers").execute();
  const count = await countTo(tx, undefined);
  for (const [tier, size] of [...TIER_ENDS.entries()].toReversed()) {
    const end = count > Math.round(size * (1 + SLACK)) ? await placeOf(tx, size) : undefined;
    if (end) await raiseEnds(tx, tier, end);
  }
  await sql`
    update article_search set tier = search_tier_of(reactions, published_at, article_id)
    where tier <> search_tier_of(reactions, published_at, article_id)`.execute(tx);
}

/** The number of articles in a tier with this end and in those above it; without an end, of all. */
function countTo(db: Db, end: Place | undefined): Promise<number> {
  const articles = db.selectFrom("published_articles");
  return countRows(end ? articles.where(sql<boolean>`${KEY} >= ${rowOf(end)}`) : articles);
}

/** Up, the least popular articles of a tier go to the next one; down, the most popular of the next ones come to it. */
type Direction = "up" | "down";

const KEY = sql`(reactions, published_at, article_id)`;

/** Moves the end of a tier toward an article, or below all articles, and returns the number of passed articles. */
async function moveEnd(
  tx: Db,
  tier: number,
  { target, direction }: { target: Place | undefined; direction: Direction },
): Promise<number> {
  const isUp = direction === "up";
  const end = await endOf(tx, tier);
  const [low, high] = isUp ? [end, target] : [target, end];
  if (!high) return 0;
  const order = sql.raw(isUp ? "asc" : "desc");
  const { rows } = await sql<Place>`
    select reactions, published_at, article_id from published_articles
    where ${KEY} < ${rowOf(high)} ${low ? sql`and ${KEY} >= ${rowOf(low)}` : sql``}
    order by reactions ${order}, published_at ${order}, article_id ${order} limit ${MOVE_BATCH + 1}`.execute(
    tx,
  );
  const passed = rows.slice(0, MOVE_BATCH);
  const newEnd = isUp ? (rows[MOVE_BATCH] ?? target) : passed.at(-1);
  if (newEnd && passed.length > 0) {
    await (isUp ? raiseEnds : lowerEnds)(tx, tier, newEnd);
    await sql`
      update article_search set tier = search_tier_of(reactions, published_at, article_id)
      where article_id = ${anyInt(passed.map(({ article_id }) => article_id))}`.execute(tx);
  } else if (!isUp && !target) await sql`delete from search_tiers where tier >= ${tier}`.execute(tx);
  return passed.length;
}

/** Tiers above that went further down end here too, and those in between are empty. */
async function raiseEnds(tx: Db, tier: number, end: Place): Promise<void> {
  await sql`
    insert into search_tiers as present (tier, reactions, published_at, article_id)
    select above, ${end.reactions}, ${end.published_at}, ${end.article_id} from generate_series(0, ${tier}) as above
    on conflict (tier) do update
      set reactions = excluded.reactions, published_at = excluded.published_at, article_id = excluded.article_id
      where (present.reactions, present.published_at, present.article_id) < ${rowOf(end)}`.execute(tx);
}

async function lowerEnds(tx: Db, tier: number, end: Place): Promise<void> {
  const ends = tx.updateTable("search_tiers").set(end).where("tier", ">=", tier);
  await ends.where(sql<boolean>`${KEY} >= ${rowOf(end)}`).execute();
}

/** The place of an article in the order of popularity. */
interface Place {
  reactions: number;
  published_at: Date;
  article_id: number;
}

async function endOf(db: Db, tier: number): Promise<Place | undefined> {
  return db
    .selectFrom("search_tiers")
    .select(["reactions", "published_at", "article_id"])
    .where("tier", "=", tier)
    .executeTakeFirst();
}

async function placeOf(db: Db, count: number): Promise<Place | undefined> {
  return db
    .selectFrom("published_articles")
    .select(["reactions", "published_at", "article_id"])
    .orderBy("reactions", "desc")
    .orderBy("published_at", "desc")
    .orderBy("article_id", "desc")
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
}

function rowOf({ reactions, published_at, article_id }: Place): RawBuilder<unknown> {
  return sql`(${reactions}::int, ${published_at}::timestamptz, ${article_id}::int)`;
}
