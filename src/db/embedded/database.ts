import pg from "pg";
import { SUPERUSER } from "./cluster.ts";
import { handOver } from "./hand-over.ts";

/** How `pg` reaches the embedded PostgreSQL: `host` is the directory of its socket. */
export interface EngineConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

const DATABASE = "inkstone";

/** The plain role that the program works as. It owns the database and everything in it. */
const PROGRAM_ROLE = "inkstone_app";

export function connectionVia(host: string, port: number): EngineConnection {
  return { host, port, user: PROGRAM_ROLE, database: DATABASE };
}

/** The same database as the cluster's superuser, which sets up and upgrades. */
export function asSuperuser(connection: EngineConnection): EngineConnection {
  return { ...connection, user: SUPERUSER };
}

/** Opens one connection; one that breaks while nobody waits for it does not end the process. */
export async function openClient(connection: EngineConnection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "inkstone engine" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Creates the site's database for the program's role, or gives that role what the superuser owns of it. */
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
