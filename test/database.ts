import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { type Connection, connect, type Db } from "../src/db/connect.ts";
import { asSuperuser, type EngineConnection } from "../src/db/embedded/database.ts";
import { openEngine } from "../src/db/embedded/engine.ts";
import { migrate } from "../src/db/migrate.ts";
import { fastFolder } from "./fast-folder.ts";

/** The test server as the global setup passes it to the test files, which are other processes. */
interface TestServer {
  config: pg.PoolConfig;
  /** As superuser, who alone may drop a database in which autovacuum works. */
  admin: pg.PoolConfig;
  /** A run's own, so that two runs on one server don't meet. */
  template: string;
}

/** Nothing here outlives a crash, and many sites share the server. */
const SETTINGS = { fsync: "off", full_page_writes: "off", autovacuum: "off", max_connections: "200" };

const SERVER_VARIABLE = "INKSTONE_TEST_SERVER";

function testServer(): TestServer {
  const server = JSON.parse(process.env[SERVER_VARIABLE] ?? "null") as TestServer | null;
  if (server === null) throw new Error("No test server: the global setup of vitest.config.ts starts it.");
  return server;
}

/**
 * Starts the database server that tests run on, unless TEST_DATABASE_URL names one, and migrates
 * one template, which every test file then copies.
 */
export async function startServer(): Promise<() => Promise<void>> {
  const { config, admin, stop } = await findServer();
  const template = `inkstone_template_${randomUUID().replaceAll("-", "")}`;
  process.env[SERVER_VARIABLE] = JSON.stringify({ config, admin, template } satisfies TestServer);
  await onServer((db) => sql`create database ${sql.id(template)}`.execute(db));
  const opened = openDatabase(template);
  await migrate(opened);
  await opened.db.destroy();
  return async () => {
    await dropDatabase(template);
    await stop();
  };
}

async function onServer(work: (db: Db) => Promise<unknown>): Promise<void> {
  const { db } = openDatabase("postgres");
  await work(db);
  await db.destroy();
}

async function dropDatabase(name: string): Promise<void> {
  const { pool, db } = connect({ connection: testServer().admin, poolSize: 1 });
  await pool.query(`drop database "${name}" with (force)`);
  await db.destroy();
}

async function findServer(): Promise<Omit<TestServer, "template"> & { stop: () => Promise<void> }> {
  const url = process.env["TEST_DATABASE_URL"];
  if (url !== undefined) {
    const config = { connectionString: url };
    return { config, admin: config, stop: async () => {} };
  }
  // Not made here: a directory that only root can enter would be no place for a cluster that root starts.
  const dataDir = join(fastFolder(), `inkstone-test-${randomUUID()}`);
  const engine = await openEngine({ dataDir, holder: "server", log: () => {}, settings: SETTINGS });
  const admin = { ...asSuperuser(engine.connection), database: "postgres" };
  await allowTests(engine.connection, admin);
  const stop = async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { config: engine.connection, admin, stop };
}

/** The program's role with what tests do beside the program: make databases and roles, and damage tables. */
async function allowTests({ user }: EngineConnection, admin: pg.PoolConfig): Promise<void> {
  const { pool, db } = connect({ connection: admin, poolSize: 1 });
  await pool.query(`alter role ${user} createdb createrole`);
  await pool.query(`alter role ${user} set createrole_self_grant = 'set, inherit'`);
  await pool.query(`grant set on parameter session_replication_role to ${user}`);
  await db.destroy();
}

/** How to reach one database of the test server, for `pg` and for the program's DATABASE_URL. */
export function connectionTo(database: string): pg.PoolConfig {
  const { config } = testServer();
  if (config.connectionString === undefined) return { ...config, database };
  const url = new URL(config.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

function openDatabase(database: string): Connection {
  const options = "-c synchronous_commit=off";
  return connect({ connection: { ...connectionTo(database), options }, poolSize: 4 });
}

/**
 * A private, migrated, empty database; gone when `drop` is called. On a server that flushes nothing to the disk,
 * copying its files takes half the time of copying its blocks through the log.
 */
export async function createDatabase(): Promise<{
  connection: Connection;
  name: string;
  drop: () => Promise<void>;
}> {
  const name = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
  const { template } = testServer();
  await onServer((db) =>
    sql`create database ${sql.id(name)} template ${sql.id(template)} strategy file_copy`.execute(db),
  );
  const connection = openDatabase(name);
  return {
    connection,
    name,
    async drop() {
      await connection.db.destroy();
      await dropDatabase(name);
    },
  };
}

/** Vitest's global setup. */
export default startServer;
