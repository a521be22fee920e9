import { sql } from "kysely";
import type { Db } from "./connect.ts";

/** Tables with other rights than all rows. Migrations alone write these; an append-only table lacks update and delete. */
const RIGHTS: Record<string, string> = {
  "public.schema_migrations": "select",
  "graphile_worker.migrations": "select",
};

/**
 * Gives a role what the program needs of everything that the current role owns: rows, sequences, and functions that
 * work with their owner's rights.
 */
export async function grantRights(tx: Db, role: string): Promise<void> {
  const rights = JSON.stringify(RIGHTS);
  // The queue's tables have row security without policies, which hides their rows from other roles.
  const { rows } = await sql<{ statement: string }>`
    select format('grant usage on schema public, graphile_worker to %I', ${role}::text) as statement
    union all
    select format(case relkind
        when 'S' then 'grant usage, select, update on sequence %1$s to %2$I'
        else 'revoke all on %1$s from %2$I; grant %3$s on %1$s to %2$I' end,
      name, ${role}::text, coalesce(${rights}::jsonb ->> name, 'select, insert, update, delete'))
      || case when relrowsecurity then format('; alter table %s disable row level security', name) else '' end
    from pg_class, concat(relnamespace::regnamespace, '.', quote_ident(relname)) as name
    where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'S')
      and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
    union all
    select format('grant execute on function %s to %I', oid::regprocedure, ${role}::text) from pg_proc
    where proowner = current_user::regrole and pronamespace = 'public'::regnamespace and prosecdef`.execute(
    tx,
  );
  await sql.raw(rows.map(({ statement }) => statement).join(";\n")).execute(tx);
}
