import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";

const BATCH = 500;

/** Puts the tag that this one is another name of in its place, in small transactions; returns how many listings there were. */
export async function followAlias(db: Db, alias: string): Promise<number> {
  for (let total = 0, after = 0; ;) {
    const ids = await inTransaction(db, (tx) => replace(tx, alias, after));
    const last = ids.at(-1);
    if (last === undefined) return total;
    total += ids.length;
    after = last;
  }
}

async function replace(tx: Db, alias: string, after: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("listings")
    .select("id")
    .where(sql<boolean>`tag_list @> array[${alias}]`)
    .where("id", ">", after)
    .orderBy("id")
    .limit(BATCH)
    .forNoKeyUpdate()
    .execute();
  const ids = rows.map(({ id }) => id);
  await sql`
    update listings set tag_list = array(
      select name from (
        select coalesce(preferred.name, carried.name) as name, min(carried.place) as first
        from unnest(listings.tag_list) with ordinality as carried (name, place)
        left join tags as known on known.name = carried.name
        left join tags as preferred on preferred.id = known.alias_for
        group by 1
      ) as names order by first
    )
    where id = any(${ids}::int[])`.execute(tx);
  return ids;
}
