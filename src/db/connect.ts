import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { clientWith, type Preparing } from "./prepared.ts";
import type { DB as Tables } from "./tables.ts";

/** A pool or a running transaction. */
export type Db = Kysely<Tables>;

/** Each has its own connections, so that one can't use up another's. */
export interface Databases {
  /** Writes, and reads that must see them. */
  main: Db;
  replica: Db;
  /** Search. */
  slow: Db;
  jobs: Db;
}

export interface ConnectOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  /** The database gives up a statement after this time, and the client its connection a little later. */
  statementTimeoutMs?: number;
  /** Called for every connection that breaks; without a listener Node would end the process. */
  onLost?: (error: Error) => void;
  /** Default: until connections do not keep prepared statements. */
  preparing?: Preparing;
}

export type Connection = ReturnType<typeof connect>;

export function connect(options: ConnectOptions) {
  const { connection, poolSize, statementTimeoutMs, preparing = { isOn: true }, onLost } = options;
  const pool = new pg.Pool({
    max: poolSize,
    connectionTimeoutMillis: 3_000,
    // A process of PostgreSQL that has worked keeps many megabytes.
    idleTimeoutMillis: 10_000,
    application_name: "inkstone",
    // Statements leave before those before them are answered (pipeline.ts).
    pipeline: true,
    ...connection,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    Client: clientWith({
      patienceMs: statementTimeoutMs === undefined ? undefined : statementTimeoutMs + GRACE_MS,
      preparing,
    }),
  });
  const report = (error: Error) => {
    // Connections may close after the database when a pool ends.
    if (!pool.ending) onLost?.(error);
  };
  pool.on("error", report);
  // A connection also breaks between two statements of a transaction.
  pool.on("connect", (client) => void client.on("error", report));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}

const GRACE_MS = 500;
