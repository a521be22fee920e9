import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { clientWith, type Preparing } from "./client.ts";
import type { DB as Tables } from "./tables.ts";

/** A pool, or the transaction now running: queries take either and need not know which. */
export type Db = Kysely<Tables>;

/** The ways to the database, each with its own connections, so that one can't use up another's. */
export interface Databases {
  /** Writes, and reads that must see them. */
  main: Db;
  /** Public reads. */
  replica: Db;
  /** Dear reads: search. */
  slow: Db;
  /** Background work, which may take its time. */
  jobs: Db;
}

export interface ConnectOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  /** How long a statement may take before the database gives it up, and its connection is given up a little later. */
  statementTimeoutMs?: number;
  /** Told of every connection that breaks; without a listener Node would end the process. */
  onLost?: (error: Error) => void;
  /** Where left out, statements are prepared until connections turn out not to keep them. */
  preparing?: Preparing;
}

/** A pool, as queries see it and as libraries that bring their own SQL do. */
export interface Connection {
  db: Db;
  pool: pg.Pool;
}

/** Opens a pool. Nothing is connected before the first query. */
export function connect(options: ConnectOptions): Connection {
  const { connection, poolSize, statementTimeoutMs, preparing = { isOn: true }, onLost } = options;
  const pool = new pg.Pool({
    max: poolSize,
    connectionTimeoutMillis: 3_000,
    // A process of PostgreSQL that has worked keeps many megabytes.
    idleTimeoutMillis: 10_000,
    application_name: "inkstone",
    ...connection,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    Client: clientWith({
      patienceMs: statementTimeoutMs === undefined ? undefined : statementTimeoutMs + GRACE_MS,
      preparing,
    }),
  });
  const report = (error: Error) => {
    // A pool that ends may be closing its connections still when the database goes.
    if (!pool.ending) onLost?.(error);
  };
  pool.on("error", report);
  // A connection also breaks while somebody holds it between two statements.
  pool.on("connect", (client) => void client.on("error", report));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}

/** For a database that works but is slow to report that it has given up. */
const GRACE_MS = 500;
