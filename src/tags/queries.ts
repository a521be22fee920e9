import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { anyText } from "../db/values.ts";

/** Tags that are no other tag's alias, the most used first. */
export function list(db: Db, { limit, offset }: { limit: number; offset: number }) {
  return db
    .selectFrom("tags")
    .select(["id", "name", "bg_color_hex", "text_color_hex"])
    .where("alias_for", "is", null)
    .orderBy("articles_count", "desc")
    .orderBy("name")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The tags that go by these names, each as the one that it is an alias of, if it is. */
export function findByName(db: Db, names: readonly string[]) {
  return db
    .selectFrom("tags as asked")
    .innerJoin("tags", (join) => join.on("tags.id", "=", sql<number>`coalesce(asked.alias_for, asked.id)`))
    .select(["asked.name as asked", "tags.id", "tags.name"])
    .where("asked.name", "=", anyText(names))
    .execute();
}

/** Creates tags; those that somebody else creates at the same moment are waited for. */
export async function insertMissing(tx: Db, names: readonly string[]): Promise<void> {
  const rows = [...new Set(names)].toSorted().map((name) => ({ name }));
  await tx
    .insertInto("tags")
    .values(rows)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
