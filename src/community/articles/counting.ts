import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { prepare } from "../../platform/db/prepared.ts";
import { rollUp } from "../../platform/db/roll-up.ts";

/** Changes of the counts of published articles: in all, and by the id of a tag. */
export interface CountChanges {
  published: number;
  tags: Map<number, number>;
}

export function noChanges(): CountChanges {
  return { published: 0, tags: new Map() };
}

export function add(total: CountChanges, part: CountChanges): void {
  total.published += part.published;
  for (const [id, delta] of part.tags) total.tags.set(id, (total.tags.get(id) ?? 0) + delta);
}

/** Comes last in a transaction: many publications need the rows of common tags. */
export async function apply(tx: Db, { published, tags }: CountChanges): Promise<void> {
  const changes = [...tags].filter(([, delta]) => delta !== 0);
  if (published === 0 && changes.length === 0) return;
  await applyChanges(tx, {
    published,
    ids: changes.map(([id]) => id),
    deltas: changes.map(([, delta]) => delta),
  });
}

/** All transactions lock tags in one order, which prevents deadlocks. */
const applyChanges = prepare<{ published: number; ids: number[]; deltas: number[] }, object>(
  (value) => sql`
    with appended as (
      insert into published_counts (delta) select ${value("published")}::int where ${value("published")}::int <> 0
    ), held as materialized (
      select id from tags where id = any(${value("ids")}::int[]) order by id for no key update
    )
    update tags set articles_count = articles_count + delta
    from held join unnest(${value("ids")}::int[], ${value("deltas")}::int[]) as change (id, delta) using (id)
    where tags.id = held.id`,
);

export function addUpChanges(db: Db): Promise<number> {
  return rollUp(db, { table: "published_counts", lock: "countRollUp", batch: 10_000, step: COUNTED });
}

const COUNTED = sql`
  counted as (
    update published_counts set delta = delta + (select sum(delta) from taken)
    where id = 0 and exists (select from taken)
  )`;

/** Published articles, with the changes that are not added up yet. */
export const PUBLISHED_COUNT = sql<number>`(select sum(delta)::int from published_counts)`;

export async function publishedCount(db: Db): Promise<number> {
  const { count } = await db.selectNoFrom(PUBLISHED_COUNT.as("count")).executeTakeFirstOrThrow();
  return count;
}
