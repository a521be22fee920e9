import type pg from "pg";

/**
 * Statements that give a role what the superuser owns in a database. PostgreSQL's `reassign owned` refuses the
 * superuser that initdb made. Indexes, sequences of columns and types of rows follow their table, and the objects of an
 * extension stay with it.
 */
const STATEMENTS = `
  select format('alter %s %s owner to %I', identity.type, identity.identity, $1::text) as statement
  from (
    select 'pg_namespace'::regclass as class, oid, nspname::text as namespace, nspowner as owner
    from pg_namespace
    union all
    select 'pg_class'::regclass, oid, relnamespace::regnamespace::text, relowner
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'pg_proc'::regclass, oid, pronamespace::regnamespace::text, proowner
    from pg_proc
    union all
    select 'pg_type'::regclass, type.oid, typnamespace::regnamespace::text, typowner
    from pg_type as type left join pg_class as relation on relation.oid = typrelid
    where typtype in ('d', 'e') or relation.relkind = 'c'
  ) as object
  cross join lateral pg_identify_object(class, oid, 0) as identity
  where owner = current_user::regrole and namespace !~ '^(pg_|information_schema)'
    and not exists (
      select from pg_depend where classid = class and objid = object.oid
        and (deptype = 'e' or (identity.type = 'sequence' and deptype in ('a', 'i')))
    )`;

/** Makes the role and gives it the database in one transaction, so that no connection of the role finds half of it. */
export async function handOver(superuser: pg.Client, database: string, role: string): Promise<void> {
  await superuser.query("begin");
  const { rowCount } = await superuser.query("select from pg_roles where rolname = $1", [role]);
  if (rowCount === 0) await superuser.query(`create role ${role} login`);
  const { rows } = await superuser.query<{ statement: string }>(STATEMENTS, [role]);
  for (const { statement } of rows) await superuser.query(statement);
  await superuser.query(`alter database ${database} owner to ${role}`);
  await superuser.query("commit");
}
