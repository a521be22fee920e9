import { type Insertable, type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { dropRepeated, reassign as reassignRows, type Reassignment } from "../../platform/db/reassign.ts";
import { rowsOf, valuesOf } from "../../platform/db/rows.ts";
import type { FeedItems } from "../../platform/db/tables.ts";
import { anyInt, anyText, isAny } from "../../platform/db/values.ts";

export const { insertIfNew } = rowsOf("feed_sources");

export function find(db: Db, id: number) {
  return db
    .selectFrom("feed_sources")
    .innerJoin("users", "users.id", "feed_sources.user_id")
    .selectAll("feed_sources")
    .select(["users.username", "users.role", "users.suspended"])
    .where("feed_sources.id", "=", id)
    .executeTakeFirst();
}

export type SourceRow = NonNullable<Awaited<ReturnType<typeof find>>>;

/** Locks a feed against removal; false when it is gone. */
export function hold(tx: Db, id: number): Promise<boolean> {
  return isAny(tx.selectFrom("feed_sources").select("id").where("id", "=", id).forKeyShare());
}

const itemsOf = (condition: RawBuilder<unknown>) =>
  sql<number>`(select count(*)::int from feed_items where feed_id = feed_sources.id and ${condition})`;

/** Feeds by id, all or only these, with the numbers of items that have become articles, and that haven't. */
export function list(db: Db, only?: readonly number[]) {
  return db
    .selectFrom("feed_sources")
    .innerJoin("users", "users.id", "feed_sources.user_id")
    .select(["feed_sources.id", "users.username as user", "url", "publish", "feed_sources.created_at"])
    .select([itemsOf(sql`skipped is null`).as("imported"), itemsOf(sql`skipped is not null`).as("skipped")])
    .$if(only !== undefined, (query) => query.where("feed_sources.id", "=", anyInt(only ?? [])))
    .orderBy("feed_sources.id")
    .execute();
}

export async function remove(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom("feed_sources").where("id", "=", id).execute();
}

export function knownItems(db: Db, feedId: number, marks: readonly string[]) {
  return db
    .selectFrom("feed_items")
    .select(["id", "marks"])
    .where("feed_id", "=", feedId)
    .where(sql<boolean>`marks && ${marks}::text[]`)
    .orderBy("id")
    .execute();
}

export async function insertItem(tx: Db, item: Insertable<FeedItems>): Promise<void> {
  await tx.insertInto("feed_items").values(item).execute();
}

export async function setMarks(tx: Db, items: readonly { id: number; marks: string[] }[]): Promise<void> {
  for (const { id, marks } of items) {
    await tx.updateTable("feed_items").set({ marks }).where("id", "=", id).execute();
  }
}

export async function articlesAt(db: Db, userId: number, addresses: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("articles")
    .select((eb) => eb.ref("canonical_url").$notNull().as("url"))
    .where("author_id", "=", userId)
    .where("canonical_url", "=", anyText(addresses))
    .where("state", "<>", "deleted")
    .execute();
  return rows.map(({ url }) => url);
}

/** The last items of each feed that were skipped or became drafts for a reason, the newest first. */
export async function lastSkipped(db: Db, feedIds: readonly number[], limit: number) {
  const { rows } = await sql<{ feed_id: number; title: string; reason: string; seen_at: Date }>`
    select feed_id, title, coalesce(skipped, remark) as reason, seen_at
    from unnest(${feedIds}::int[]) as feed (feed_id)
    cross join lateral (
      select id, title, skipped, remark, seen_at from feed_items
      where feed_items.feed_id = feed.feed_id and coalesce(skipped, remark) is not null order by id desc limit ${limit}
    ) as last
    order by feed_id, id desc`.execute(db);
  return rows;
}

export function lockSources(tx: Db, userIds: readonly number[], urls: readonly string[]) {
  return tx
    .selectFrom("feed_sources")
    .selectAll()
    .where("user_id", "=", anyInt(userIds))
    .where("url", "=", anyText(urls))
    .orderBy("id")
    .forUpdate()
    .execute();
}

export function findItems(tx: Db, keys: readonly Partial<Insertable<FeedItems>>[]) {
  const firstMarks = keys.flatMap(({ marks }) => marks?.[0] ?? []);
  return tx
    .selectFrom("feed_items")
    .selectAll()
    .where("feed_id", "=", anyInt(valuesOf(keys, "feed_id")))
    .where(sql<boolean>`marks[1] = any(${firstMarks}::text[])`)
    .execute();
}

/** Gives one person's feeds to another, whose own of two with one address gets the items of both. Returns their number. */
export async function reassign(tx: Db, people: Reassignment): Promise<number> {
  const { from, to } = people;
  await sql`
    update feed_items as item set feed_id = kept.id
    from feed_sources as gone join feed_sources as kept on kept.url = gone.url and kept.user_id = ${to}
    where gone.user_id = ${from} and item.feed_id = gone.id
      and not exists (select from feed_items as known where known.feed_id = kept.id and known.marks[1] = item.marks[1])
  `.execute(tx);
  const place = ["feed_sources", "user_id"] as const;
  await dropRepeated(tx, place, { ...people, same: ["url"] });
  return reassignRows(tx, place, people);
}

export function listSourcesAfter(db: Db, id: number, limit: number) {
  return db
    .selectFrom("feed_sources")
    .innerJoin("users", "users.id", "feed_sources.user_id")
    .select(["feed_sources.id", "users.username as user", "feed_sources.url", "feed_sources.publish"])
    .select("feed_sources.created_at")
    .where("feed_sources.id", ">", id)
    .orderBy("feed_sources.id")
    .limit(limit)
    .execute();
}

/** Items after an id, with the slugs of their articles as far as these are exported. */
export function listItemsAfter(db: Db, id: number, limit: number) {
  return db
    .selectFrom("feed_items")
    .innerJoin("feed_sources", "feed_sources.id", "feed_items.feed_id")
    .innerJoin("users", "users.id", "feed_sources.user_id")
    .leftJoin("articles", (join) =>
      join.onRef("articles.id", "=", "feed_items.article_id").on("articles.state", "<>", "deleted"),
    )
    .select(["feed_items.id", "users.username as user", "feed_sources.url as feed", "feed_items.marks"])
    .select(["feed_items.title", "articles.slug as article", "feed_items.skipped", "feed_items.seen_at"])
    .select("feed_items.remark")
    .where("feed_items.id", ">", id)
    .orderBy("feed_items.id")
    .limit(limit)
    .execute();
}
