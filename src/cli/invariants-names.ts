import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/connect.ts";
import type { Invariant } from "./invariant.ts";

/** Names, numbers and what refers to them. */
export const NAME_INVARIANTS: readonly Invariant[] = [
  {
    check: "usernames",
    faults: sql`
      select format('The username %s is taken, but %s has it.', handles.username,
        'no ' || handles.kind) as fault
      from handles
      where not exists (select from users where users.username = handles.username and handles.kind = 'user')
        and not exists (select from organizations
          where organizations.username = handles.username and handles.kind = 'organization')
        and not exists (select from podcasts where podcasts.slug = handles.username and handles.kind = 'podcast')
      union all
      select format('The %s %s has the username %s, which isn''t reserved for it.', holder.kind, holder.id, holder.username)
      from (select id, username, kind from users union all select id, username, kind from organizations
        union all select id, slug, kind from podcasts) as holder
      where not exists (select from handles where handles.username = holder.username and handles.kind = holder.kind)`,
  },
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

/** Every row that a row refers to must be there: the database sees to it, unless it was damaged or told not to. */
async function references(db: Db): Promise<RawBuilder<{ fault: string }>> {
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

function missing({ holder, held, columns, targets }: Reference): RawBuilder<{ fault: string }> {
  const own = columns.map((column) => sql.ref(`holder.${column}`));
  const isGiven = sql.join(
    own.map((column) => sql`${column} is not null`),
    sql` and `,
  );
  const isSame = sql.join(
    own.map((column, index) => sql`${column} = ${sql.ref(`held.${targets[index]}`)}`),
    sql` and `,
  );
  return sql`
    select format('A row of %s refers to %s of %s, which isn''t there.', ${sql.lit(holder)}::text,
      concat_ws(', ', ${sql.join(own)}), ${sql.lit(held)}::text) as fault
    from ${sql.table(holder)} as holder
    where ${isGiven} and not exists (select from ${sql.table(held)} as held where ${isSame})`;
}

interface Numbering {
  table: string;
  sequence: string;
}

/** A number that the next row would be given must be free. */
async function numbers(db: Db): Promise<RawBuilder<{ fault: string }>> {
  const { rows } = await sql<Numbering>`
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
