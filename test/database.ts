import { createHash, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { type Connection, connect, type Db } from "../src/platform/db/connect.ts";
import { asOwner, asSuperuser } from "../src/platform/db/embedded/database.ts";
import { openEngine } from "../src/platform/db/embedded/engine.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { fastFolder, PATIENCE_MS } from "./setup.ts";

/** The test server as the global setup passes it to the test files, which are other processes. */
interface TestServer {
  /** As the program's role, which reads and writes rows. */
  program: pg.PoolConfig;
  owner: pg.PoolConfig;
  ownerRole: string;
  /** As superuser, for what tests do beside the program: make databases and roles, and damage tables. */
  superuser: pg.PoolConfig;
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
  const { stop, ...roles } = await findServer();
  const template = `inkstone_template_${randomUUID().replaceAll("-", "")}`;
  const [ownerRole = "", program] = await Promise.all([roles.owner, roles.program].map(roleOf));
  process.env[SERVER_VARIABLE] = JSON.stringify({ ...roles, ownerRole, template } satisfies TestServer);
  await onServer((db) => sql`create database ${sql.id(template)} owner ${sql.id(ownerRole)}`.execute(db));
  const opened = openDatabase(at(roles.owner, template));
  await migrate(opened, { programRole: program });
  await opened.db.destroy();
  return async () => {
    await onServer((db) => dropTemplates(db, template));
    await server?.destroy();
    await stop();
  };
}

let server: Db | undefined;

/** With a connection that lasts while databases are made and dropped: opening one takes as long as a database. */
function onServer(work: (db: Db) => Promise<unknown>): Promise<unknown> {
  const connection = { ...superuserTo("postgres"), connectionTimeoutMillis: PATIENCE_MS };
  server ??= connect({ connection, poolSize: 1 }).db;
  return work(server);
}

async function dropDatabase(db: Db, name: string): Promise<void> {
  await sql`drop database ${sql.id(name)} with (force)`.execute(db);
}

/** That of the run, and those of its workers. */
async function dropTemplates(db: Db, template: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select datname as name from pg_database where starts_with(datname, ${template})`.execute(db);
  for (const { name } of rows) await dropDatabase(db, name);
}

async function roleOf(config: pg.PoolConfig): Promise<string> {
  const { pool, db } = connect({ connection: at(config, "postgres"), poolSize: 1 });
  const { rows } = await pool.query<{ role: string }>("select current_user as role");
  await db.destroy();
  return rows[0]?.role ?? "";
}

async function findServer(): Promise<
  Omit<TestServer, "template" | "ownerRole"> & { stop: () => Promise<void> }
> {
  const url = process.env["TEST_DATABASE_URL"];
  if (url !== undefined) return { ...(await makeRoles(url)), stop: async () => {} };
  // Not made here: a directory that only root can enter would be no place for a cluster that root starts.
  const dataDir = join(fastFolder(), `inkstone-test-${randomUUID()}`);
  const engine = await openEngine({ dataDir, holder: "server", log: () => {}, settings: SETTINGS });
  const stop = async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const program = engine.connection;
  return { program, owner: asOwner(program), superuser: asSuperuser(program), stop };
}

/** Another server gets two roles. Their password is made from the superuser's address, so it tells that client nothing new. */
async function makeRoles(url: string): Promise<Omit<TestServer, "template" | "ownerRole">> {
  const superuser = { connectionString: url };
  const roles = { program: "inkstone_test_program", owner: "inkstone_test_owner" };
  const password = createHash("sha256").update(url).digest("hex");
  const { pool, db } = connect({ connection: superuser, poolSize: 1 });
  for (const role of Object.values(roles)) {
    const { rowCount } = await pool.query("select from pg_roles where rolname = $1", [role]);
    if (rowCount === 0) await pool.query(`create role ${role}`);
    await pool.query(`alter role ${role} login password '${password}'`);
  }
  await db.destroy();
  const as = (role: string) => {
    const address = new URL(url);
    [address.username, address.password] = [role, password];
    return { connectionString: address.href };
  };
  // The program alone goes through a pooler: a database can't be copied while the pooler keeps connections to it.
  const pooler = process.env["TEST_POOLER_URL"];
  const program = pooler === undefined ? as(roles.program) : { connectionString: pooler };
  return { program, owner: as(roles.owner), superuser };
}

export function withOptions(config: pg.PoolConfig, options: string): pg.PoolConfig {
  if (config.connectionString === undefined) return { ...config, options };
  const url = new URL(config.connectionString);
  const given = url.searchParams.get("options");
  url.searchParams.set("options", given === null ? options : `${given} ${options}`);
  return { connectionString: url.href };
}

/** How to reach one database of the test server, for `pg` and for the program's DATABASE_URL. */
export function connectionTo(database: string): pg.PoolConfig {
  return at(testServer().program, database);
}

export function ownerTo(database: string): pg.PoolConfig {
  return at(testServer().owner, database);
}

export function superuserTo(database: string): pg.PoolConfig {
  return at(testServer().superuser, database);
}

function at(config: pg.PoolConfig, database: string): pg.PoolConfig {
  if (config.connectionString === undefined) return { ...config, database };
  const url = new URL(config.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

function openDatabase(config: pg.PoolConfig): Connection {
  const connection = withOptions(config, "-c synchronous_commit=off");
  // Beside much other work a new connection takes seconds.
  return connect({ connection: { ...connection, connectionTimeoutMillis: PATIENCE_MS }, poolSize: 4 });
}

/**
 * A private, migrated, empty database; gone when `drop` is called. On a server that flushes nothing to the disk,
 * copying its files takes half the time of copying its blocks through the log.
 */
export async function createDatabase(template = testServer().template): Promise<{
  connection: Connection;
  /** Connects when it is used. */
  superuser: Db;
  name: string;
  drop: () => Promise<void>;
}> {
  const name = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
  await copyDatabase(template, name);
  const connection = openDatabase(connectionTo(name));
  const superuser = openDatabase(superuserTo(name)).db;
  return {
    connection,
    superuser,
    name,
    async drop() {
      await Promise.all([connection.db.destroy(), superuser.destroy()]);
      await onServer((db) => dropDatabase(db, name));
    },
  };
}

async function copyDatabase(template: string, name: string): Promise<void> {
  const owner = sql.id(testServer().ownerRole);
  const create = sql`create database ${sql.id(name)} owner ${owner} template ${sql.id(template)} strategy file_copy`;
  await onServer((db) => create.execute(db));
}

/** A database to copy, filled once for all workers: it lasts until the end of the run. Returns its name. */
export async function createTemplate(content: string, fill: (db: Db) => Promise<unknown>): Promise<string> {
  const { template } = testServer();
  const name = `${template}_${createHash("sha256").update(content).digest("hex").slice(0, 8)}`;
  const isThere = () => onServer((db) => isAny(sql`select from pg_database where datname = ${name}`, db));
  // The worker that comes first fills it; the others wait for that, and for its name.
  while (!(await isThere())) {
    const isFirst = await copyDatabase(template, `${name}_new`).then(() => true, isTaken);
    if (isFirst) await fillTemplate(name, fill);
    else await sleep(100);
  }
  return name;
}

const isAny = async (query: ReturnType<typeof sql>, db: Db) => (await query.execute(db)).rows.length > 0;

/** False for a database that another worker makes now. */
function isTaken(error: { code?: string }): false {
  if (error.code === "42P04" || error.code === "23505") return false;
  throw error;
}

async function fillTemplate(name: string, fill: (db: Db) => Promise<unknown>): Promise<void> {
  const filling = `${name}_new`;
  // A pooler would keep the program's connections, and a database that has some can't be copied.
  const { db } = openDatabase(ownerTo(filling));
  try {
    await fill(db);
  } catch (error) {
    await onServer((server) => dropDatabase(server, filling));
    throw error;
  } finally {
    await db.destroy();
  }
  await onServer((server) =>
    sql`alter database ${sql.id(filling)} rename to ${sql.id(name)}`.execute(server),
  );
}

/** Vitest's global setup. */
export default startServer;
