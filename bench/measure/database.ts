import { join } from "node:path";
import pg from "pg";
import { connectionVia } from "../../src/db/embedded/database.ts";
import { readPidFile } from "../../src/db/embedded/processes.ts";

/** Connects to the PostgreSQL of a program that serves this data directory; it can only read. */
export async function openDatabase(dataDir: string): Promise<pg.Client> {
  const running = readPidFile(join(dataDir, "postgres"));
  if (!running) throw new Error(`No PostgreSQL runs in ${dataDir}: unset DATABASE_URL and try again.`);
  const client = new pg.Client({
    ...connectionVia(running.socketDir, running.port),
    application_name: "inkstone bench",
    options: "-c default_transaction_read_only=on",
  });
  await client.connect();
  return client;
}
