import { type Insertable, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { FeedItems } from "../db/tables.ts";
import { anyInt, anyText } from "../db/values.ts";
import { valuesOf } from "../records/columns.ts";

/** The feeds of these people that have one of these addresses, held until the transaction ends. */
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

/** The items of these feeds whose first mark is one of these. */
export function findItems(tx: Db, keys: readonly Partial<Insertable<FeedItems>>[]) {
  const firstMarks = keys.flatMap(({ marks }) => marks?.[0] ?? []);
  return tx
    .selectFrom("feed_items")
    .selectAll()
    .where("feed_id", "=", anyInt(valuesOf(keys, "feed_id")))
    .where(sql<boolean>`marks[1] = any(${firstMarks}::text[])`)
    .execute();
}

/** Feeds by number behind this one. */
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

/** Items by number behind this one, with the slugs of their articles as far as these are exported. */
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
    .where("feed_items.id", ">", id)
    .orderBy("feed_items.id")
    .limit(limit)
    .execute();
}
