import { sql } from "kysely";
import type { Db } from "../../src/platform/db/connect.ts";

interface Described {
  text: string;
}

/** The schema as the database itself tells it: to be read, and to show in a review what a migration did. */
export async function describeSchema(db: Db): Promise<string> {
  const tables = await sql<{ name: string; columns: string }>`
    select c.relname as name,
      string_agg(format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        case when a.attidentity <> '' then ' identity'
             when a.attgenerated <> '' then ' generated as ' || pg_get_expr(d.adbin, d.adrelid)
             when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
             else '' end), E',\n' order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname`.execute(db);
  const constraints = await sql<Described>`
    select format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and k.contype in ('p', 'u', 'f', 'c')
    order by c.relname, k.conname`.execute(db);
  const indexes = await sql<Described>`
    select pg_get_indexdef(i.indexrelid) as text
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
    order by c.relname, i.indexrelid::regclass::text`.execute(db);
  const triggers = await sql<Described>`
    select pg_get_triggerdef(t.oid) as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and not t.tgisinternal
    order by c.relname, t.tgname`.execute(db);
  const functions = await sql<Described>`
    select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.oid::regprocedure::text`.execute(db);
  const lines = [constraints, indexes, triggers].map(({ rows }) =>
    rows.map(({ text }) => `${text};\n`).join(""),
  );
  return [
    "-- Written by `npm run generate` from a migrated database; to be read, not run.\n",
    ...tables.rows.map(({ name, columns }) => `create table ${name} (\n${columns}\n);\n`),
    ...lines,
    ...functions.rows.map(({ text }) => `${text.trim()};\n`),
  ].join("\n");
}
