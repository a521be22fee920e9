import { type RawBuilder, sql } from "kysely";
import type { Db } from "./connect.ts";

type Faults = RawBuilder<{ fault: string }>;

export interface Invariant {
  check: string;
  /** Selects a `fault` for each row that breaks it: a sentence with the row's id. Some read the catalog first. */
  faults: Faults | ((tx: Db) => Promise<Faults>);
}

export const INVARIANTS: readonly Invariant[] = [
  { check: "references", faults: references },
  { check: "numbers", faults: numbers },
];

interface Reference {
  name: string;
  holder: string;
  held: string;
  columns: string[];
  targets: string[];
}

/** PostgreSQL enforces foreign keys unless it was damaged or constraints were disabled. */
async function references(db: Db): Promise<Faults> {
  const { rows } = await sql<Reference>`
    select conname as name, conrelid::regclass::text as holder, confrelid::regclass::text as held,
      array(select attname::text from unnest(conkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = conrelid and attnum = key.number order by place) as columns,
      array(select attname::text from unnest(confkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = confrelid and attnum = key.number order by place) as targets
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
    order by holder, name`.execute(db);
  return sql`${sql.join(rows.map(missing), sql` union all `)}`;
}

function missing({ holder, held, columns, targets }: Reference): Faults {
  const own = sql.join(columns.map((column) => sql.ref(`holder.${column}`)));
  const others = sql.join(targets.map((column) => sql.ref(`held.${column}`)));
  return sql`
    select format('A row of %s refers to %s of %s, which isn''t there.', ${sql.lit(holder)}::text,
      concat_ws(', ', ${own}), ${sql.lit(held)}::text) as fault
    from ${sql.table(holder)} as holder
    where num_nulls(${own}) = 0
      and not exists (select from ${sql.table(held)} as held where (${own}) = (${others}))`;
}

async function numbers(db: Db): Promise<Faults> {
  const { rows } = await sql<{ table: string; sequence: string }>`
    select table_name as table, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES' and column_name = 'id'
    order by table_name`.execute(db);
  const faults = rows.map(
    ({ table, sequence }) => sql`
      select format('The next row of %s would be given a number that is taken: its numbers go up to %s.',
        ${sql.lit(table)}::text, highest) as fault
      from (select max(id) as highest from ${sql.table(table)}) as present, ${sql.table(sequence)} as numbering
      where highest > numbering.last_value or (highest = numbering.last_value and not numbering.is_called)`,
  );
  return sql`${sql.join(faults, sql` union all `)}`;
}
