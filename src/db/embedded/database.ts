import pg from "pg";
import { SUPERUSER } from "./cluster.ts";

/** `host` is the directory of the socket. */
export interface EngineConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

const DATABASE = "inkstone";

/** The plain role of the program, which owns the database. */
const PROGRAM_ROLE = "inkstone_app";

export function connectionVia(host: string, port: number): EngineConnection {
  return { host, port, user: PROGRAM_ROLE, database: DATABASE };
}

/** The role that sets up and upgrades. */
export function asSuperuser(connection: EngineConnection): EngineConnection {
  return { ...connection, user: SUPERUSER };
}

/** A connection that breaks while idle does not end the process. */
export async function openClient(connection: EngineConnection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "inkstone engine" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

export async function prepareDatabase(connection: EngineConnection): Promise<void> {
  const superuser = asSuperuser(connection);
  const owner = await withClient({ ...superuser, database: "postgres" }, findOrCreate);
  if (owner !== PROGRAM_ROLE)
    await withClient(superuser, (client) => handOver(client, DATABASE, PROGRAM_ROLE));
}

/** Returns the owner of the site's database. */
async function findOrCreate(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ owner: string }>(
    "select pg_get_userbyid(datdba) as owner from pg_database where datname = $1",
    [DATABASE],
  );
  if (rows[0]) return rows[0].owner;
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [PROGRAM_ROLE]);
  if (rowCount === 0) await client.query(`create role ${PROGRAM_ROLE} login`);
  await client.query(`create database ${DATABASE} owner ${PROGRAM_ROLE}`);
  return PROGRAM_ROLE;
}

async function withClient<T>(
  connection: EngineConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(connection);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Statements that give a role what the superuser owns. `reassign owned` refuses the superuser of initdb. Indexes,
 * sequences and row types follow their table; objects of an extension stay.
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

/** In one transaction, so that no connection of the role finds half of the database. */
async function handOver(superuser: pg.Client, database: string, role: string): Promise<void> {
  await superuser.query("begin");
  const { rowCount } = await superuser.query("select from pg_roles where rolname = $1", [role]);
  if (rowCount === 0) await superuser.query(`create role ${role} login`);
  const { rows } = await superuser.query<{ statement: string }>(STATEMENTS, [role]);
  for (const { statement } of rows) await superuser.query(statement);
  await superuser.query(`alter database ${database} owner to ${role}`);
  await superuser.query("commit");
}
