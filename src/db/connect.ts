import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DB as Tables } from "./tables.ts";

/** A pool, or the transaction now running: queries take either and need not know which. */
export type Db = Kysely<Tables>;

/** The three ways to the database. A small site has one pool behind all of them. */
export interface Databases {
  /** Writes, and reads that must see them. */
  main: Db;
  /** Public reads. */
  replica: Db;
  /** Dear work, which must not take the connections of cheap reads. */
  slow: Db;
}

export interface ConnectOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  /** Told of every connection that breaks; without a listener Node would end the process. */
  onLost?: (error: Error) => void;
}

/** A pool, as queries see it and as libraries that bring their own SQL do. */
export interface Connection {
  db: Db;
  pool: pg.Pool;
}

/** Opens a pool. Nothing is connected before the first query. */
export function connect({ connection, poolSize, onLost }: ConnectOptions): Connection {
  const pool = new pg.Pool({
    max: poolSize,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    application_name: "inkstone",
    ...connection,
  });
  const report = (error: Error) => onLost?.(error);
  pool.on("error", report);
  // A connection also breaks while somebody holds it between two statements.
  pool.on("connect", (client) => void client.on("error", report));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}
