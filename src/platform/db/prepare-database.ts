import { sql } from "kysely";
import { invalid } from "../errors.ts";
import type pg from "pg";
import { connect, type Connection, type Db } from "./connect.ts";
import { failureCode, reasonOf } from "./failures.ts";
import { whileLocked } from "./locks.ts";
import { runPending, SCHEMA_PROBLEM, schemaState } from "./migrate.ts";
import { hasSessions } from "./pooler.ts";

const OLDEST_VERSION = 15;

export interface Preparation {
  /** How to connect as the role that owns the tables; undefined if the program's role does. */
  owner?: pg.PoolConfig | undefined;
  log: (line: string) => void;
  creates?: boolean;
}

/** Checks the server, and gives an empty database the schema. @throws AppError invalid with the remedy */
export async function prepareDatabase(program: Connection, { owner, log, creates = true }: Preparation) {
  if ((await schemaState(program.db)) === "current") return checkServer(program.db);
  await asOwner(program, owner, async (connection, programRole) => {
    await checkServer(connection.db);
    // A schema that another process is creating would look like an older one.
    await whileLocked(connection.db, "migration", async () => {
      const state = await schemaState(connection.db);
      const isNew = state === "empty" && creates;
      if (isNew) log("The database is empty: creating the tables.");
      // The owner has taken over the tables of a program that had one role.
      const isOnlyClosed = state === "current" && programRole !== undefined;
      if (isNew || isOnlyClosed) await runPending(connection, { programRole });
      else if (state !== "current") throw invalid(SCHEMA_PROBLEM[state]);
    });
  });
}

/** Locks, the transaction, and the migrations of the queue. */
const OWNER_CONNECTIONS = 4;

/** Works as the role that owns the tables. @throws AppError invalid when that role can't log in */
export async function asOwner<T>(
  program: Connection,
  owner: pg.PoolConfig | undefined,
  work: (connection: Connection, programRole: string | undefined) => Promise<T>,
): Promise<T> {
  if (owner === undefined) return work(program, undefined);
  const connection = connect({ connection: owner, poolSize: OWNER_CONNECTIONS });
  try {
    const own = await identify(connection.db).catch((error: unknown) => {
      if (!REFUSED_LOGIN.test(failureCode(error))) throw error;
      throw invalid(`The database refuses DATABASE_OWNER_URL (${reasonOf(error)}): correct it.`);
    });
    const { role, database } = await identify(program.db);
    if (database !== own.database)
      throw invalid("DATABASE_OWNER_URL names another database than DATABASE_URL: correct one of them.");
    return await work(connection, role === own.role ? undefined : role);
  } finally {
    await connection.db.destroy();
  }
}

const REFUSED_LOGIN = /^(28|3D000)/;

async function identify(db: Db): Promise<{ role: string; database: string }> {
  const role = sql<string>`current_user`.as("role");
  // Two servers don't start in the same microsecond.
  const database = sql<string>`concat(current_database(), pg_postmaster_start_time())`.as("database");
  return db.selectNoFrom([role, database]).executeTakeFirstOrThrow();
}

/** Checks version and encoding. @throws AppError invalid */
export async function checkServer(db: Db): Promise<void> {
  const { version, encoding } = await describeServer(db);
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    throw invalid(
      `The database server is PostgreSQL ${version}, and Inkstone needs ${OLDEST_VERSION} or newer.`,
    );
  if (encoding !== "UTF8")
    throw invalid(
      `The database's encoding is ${encoding}: create one with \`createdb --encoding=UTF8 --template=template0\`.`,
    );
}

/** Checks that the server has as many connections; behind a pooler nothing. @throws AppError invalid */
export async function checkRoom({ pool }: Connection, connections: number): Promise<void> {
  if (!(await hasSessions(pool))) return;
  const { rows } = await pool.query<{ most: number }>(
    `select current_setting('max_connections')::int
       - current_setting('superuser_reserved_connections')::int as most`,
  );
  const { most } = rows[0] ?? { most: Infinity };
  if (connections > most)
    throw invalid(
      `WORKERS and DATABASE_POOL_SIZE make ${connections} connections, and the database has ${most}: lower one of them, or raise PostgreSQL's max_connections.`,
    );
}

export async function describeServer(db: Db): Promise<{ version: string; encoding: string }> {
  const version = sql<string>`current_setting('server_version')`.as("version");
  const encoding = sql<string>`current_setting('server_encoding')`.as("encoding");
  return db.selectNoFrom([version, encoding]).executeTakeFirstOrThrow();
}
