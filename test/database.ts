import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { type Connection, connect } from "../src/db/connect.ts";
import { openEngine } from "../src/db/embedded/engine.ts";
import { migrate } from "../src/db/migrate.ts";

const TEMPLATE = "inkstone_test_template";

/** Passed from the global setup to the test files, which are other processes. */
const SERVER_VARIABLE = "INKSTONE_TEST_SERVER";

/**
 * Starts the database server that tests run on, unless TEST_DATABASE_URL names one, and migrates
 * one template, which every test file then copies.
 */
export async function startServer(): Promise<() => Promise<void>> {
  const { server, stop } = await findServer();
  process.env[SERVER_VARIABLE] = JSON.stringify(server);
  const { db, pool } = openDatabase("postgres");
  await sql`drop database if exists ${sql.id(TEMPLATE)} with (force)`.execute(db);
  await sql`create database ${sql.id(TEMPLATE)}`.execute(db);
  const template = openDatabase(TEMPLATE);
  await migrate(template);
  await template.db.destroy();
  await db.destroy();
  return async () => {
    if (!pool.ended) await pool.end();
    await stop();
  };
}

async function findServer(): Promise<{ server: pg.PoolConfig; stop: () => Promise<void> }> {
  const url = process.env["TEST_DATABASE_URL"];
  if (url !== undefined) return { server: { connectionString: url }, stop: async () => {} };
  // Not made here: a directory that only root can enter would be no place for a cluster that root starts.
  const dataDir = join(tmpdir(), `inkstone-test-${randomUUID()}`);
  const engine = await openEngine({ dataDir, holder: "server", log: () => {} });
  const stop = async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { server: engine.connection, stop };
}

/** How to reach one database of the test server, for `pg` and for the program's DATABASE_URL. */
export function connectionTo(database: string): pg.PoolConfig {
  const server = JSON.parse(process.env[SERVER_VARIABLE] ?? "null") as pg.PoolConfig | null;
  if (server === null) throw new Error("No test server: the global setup of vitest.config.ts starts it.");
  if (server.connectionString === undefined) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

function openDatabase(database: string): Connection {
  const options = "-c synchronous_commit=off";
  return connect({ connection: { ...connectionTo(database), options }, poolSize: 4 });
}

/** A private, migrated, empty database; gone when `drop` is called. */
export async function createDatabase(): Promise<{
  connection: Connection;
  name: string;
  drop: () => Promise<void>;
}> {
  const name = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
  const server = openDatabase("postgres");
  await sql`create database ${sql.id(name)} template ${sql.id(TEMPLATE)}`.execute(server.db);
  const connection = openDatabase(name);
  return {
    connection,
    name,
    async drop() {
      await connection.db.destroy();
      await sql`drop database ${sql.id(name)} with (force)`.execute(server.db);
      await server.db.destroy();
    },
  };
}

/** Vitest's global setup. */
export default startServer;
