import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { FIGURES } from "./figures.ts";

interface Sums {
  table: string;
  keys: readonly string[];
  figures: readonly string[];
}

const DAYS: Sums = { table: "analytics_days", keys: ["kind", "subject_id", "day"], figures: FIGURES };
const REFERRERS: Sums = {
  table: "analytics_referrer_days",
  keys: ["kind", "subject_id", "day", "referrer"],
  figures: ["views"],
};

export const addDays = (tx: Db, changes: RawBuilder<unknown>) => add(tx, DAYS, changes);

export const addReferrers = (tx: Db, changes: RawBuilder<unknown>) => add(tx, REFERRERS, changes);

/** Adds changes to the sums of a table, and removes rows that come to nothing. */
async function add(tx: Db, { table, keys, figures }: Sums, changes: RawBuilder<unknown>): Promise<void> {
  const columns = sql.raw([...keys, ...figures].join(", "));
  const isEmpty = each(figures, " and ", (figure) => `present.${figure} = 0`);
  const { rows: empty } = await sql`
    with changes as (${changes}), kept as (
      insert into ${sql.table(table)} as present (${columns})
      select ${columns} from changes where ${each(figures, " or ", (figure) => `${figure} <> 0`)}
      on conflict (${sql.raw(keys.join(", "))}) do update
        set ${each(figures, ", ", (figure) => `${figure} = present.${figure} + excluded.${figure}`)}
      returning ${isEmpty} as is_empty
    )
    select from kept where is_empty limit 1`.execute(tx);
  if (empty.length === 0) return;
  await sql`
    delete from ${sql.table(table)} as present using (${changes}) as change
    where ${each(keys, " and ", (key) => `present.${key} = change.${key}`)} and ${isEmpty}`.execute(tx);
}

const each = (names: readonly string[], separator: string, write: (name: string) => string) =>
  sql.raw(names.map(write).join(separator));
