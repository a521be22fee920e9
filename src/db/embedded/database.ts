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
const UNKNOWN_DATABASE = "3D000";
const DUPLICATE_DATABASE = "42P04";

export function connectionVia(host: string, port: number): EngineConnection {
  return { host, port, user: SUPERUSER, database: DATABASE };
}

/** Opens one connection that does not keep the process alive. */
export async function openClient(connection: EngineConnection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "inkstone engine" });
  // A connection that breaks while nobody waits for it must not end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Creates the site's database in a new cluster. */
export async function createDatabase(connection: EngineConnection): Promise<void> {
  if (await isThere(connection)) return;
  const client = await openClient({ ...connection, database: "postgres" });
  try {
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== DUPLICATE_DATABASE) throw error;
  } finally {
    await client.end();
  }
}

async function isThere(connection: EngineConnection): Promise<boolean> {
  try {
    const client = await openClient(connection);
    await client.end();
    return true;
  } catch (error) {
    if ((error as pg.DatabaseError).code === UNKNOWN_DATABASE) return false;
    throw error;
  }
}
