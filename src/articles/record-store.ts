import type { Insertable, Selectable } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Articles } from "../db/tables.ts";
import { anyText } from "../db/values.ts";
import { valuesOf } from "../records/columns.ts";
import type { Entry } from "../records/record-type.ts";
import { type ArticleRow, seriesOf } from "./record-row.ts";
import type { ArticleRecord } from "./record-schema.ts";

/** The articles that have these slugs, locked until the transaction ends. */
export function findBySlugs(
  tx: Db,
  keys: readonly Partial<Insertable<Articles>>[],
): Promise<Selectable<Articles>[]> {
  return tx
    .selectFrom("articles")
    .selectAll()
    .where("slug", "=", anyText(valuesOf(keys, "slug")))
    .orderBy("id")
    .forUpdate()
    .execute();
}

const keyOf = ({ user_id, slug }: { user_id: number; slug: string }) => `${user_id} ${slug}`;

/** The ids of the series that records belong to; new ones are made. */
export async function seriesIds(tx: Db, rows: ArticleRow[]): Promise<Map<Entry<ArticleRecord>, number>> {
  const named = rows.flatMap(({ entry, columns }) => {
    const slug = seriesOf(entry.fields);
    return slug === undefined ? [] : { entry, user_id: columns?.author_id ?? 0, slug };
  });
  if (named.length === 0) return new Map();
  const wanted = [...new Map(named.map((one) => [keyOf(one), one])).values()];
  await tx
    .insertInto("collections")
    .values(wanted.map(({ user_id, slug }) => ({ user_id, slug })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const found = await tx
    .selectFrom("collections")
    .selectAll()
    .where((eb) => eb.or(wanted.map(({ user_id, slug }) => eb.and({ user_id, slug }))))
    .execute();
  const ids = new Map(found.map((row) => [keyOf(row), row.id]));
  return new Map(named.map((one) => [one.entry, ids.get(keyOf(one)) ?? 0]));
}
