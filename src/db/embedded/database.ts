import pg from "pg";
import { SUPERUSER } from "./cluster.ts";

/** How `pg` reaches the embedded PostgreSQL: `host` is the directory of its socket. */
export interface EngineConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

const DATABASE = "inkstone";

export function connectionVia(host: string, port: number): EngineConnection {
  return { host, port, user: SUPERUSER, database: DATABASE };
}

/** Opens one connection; one that breaks while nobody waits for it does not end the process. */
export async function openClient(connection: EngineConnection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "inkstone engine" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Creates the site's database in a new cluster. */
export async function createDatabase(connection: EngineConnection): Promise<void> {
  const client = await openClient({ ...connection, database: "postgres" });
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
