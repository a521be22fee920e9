import { join } from "node:path";
import pg from "pg";
import { connect, type Connection } from "../../src/platform/db/connect.ts";
import { asOwner, connectionVia } from "../../src/platform/db/embedded/database.ts";
import { readPidFile } from "../../src/platform/db/embedded/processes.ts";

function connectionOf(dataDir: string) {
  const running = readPidFile(join(dataDir, "postgres"));
  if (running) return connectionVia(running.socketDir, running.port);
  throw new Error(`No PostgreSQL runs in ${dataDir}: unset DATABASE_URL and try again.`);
}

/** Connects to the PostgreSQL of a program that serves this data directory; it can only read. */
export async function openDatabase(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionOf(dataDir),
    application_name: "inkstone bench",
    options: "-c default_transaction_read_only=on",
  });
  await client.connect();
  return client;
}

/** The same, to write; its schema must be that of this checkout. */
export function openForWriting(dataDir: string, poolSize: number): Connection {
  return connect({ connection: asOwner(connectionOf(dataDir)), poolSize });
}
