import type { Duplex } from "node:stream";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
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
}

/** A pool, as queries see it and as libraries that bring their own SQL do. */
export interface Connection {
  db: Db;
  pool: pg.Pool;
}

/** Opens a pool. Nothing is connected before the first query. */
export function connect({ connection, poolSize, statementTimeoutMs, onLost }: ConnectOptions): Connection {
  const pool = new pg.Pool({
    max: poolSize,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    application_name: "inkstone",
    ...connection,
    ...(statementTimeoutMs !== undefined && {
      statement_timeout: statementTimeoutMs,
      Client: impatientClient(statementTimeoutMs + GRACE_MS),
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

/** For a database that works but is slow to say that it has given up. */
const GRACE_MS = 500;

/**
 * A client that breaks its connection when an answer doesn't come: a database that hangs can't time
 * its own statements out, and a connection that still waits must not go back to the pool.
 */
function impatientClient(patienceMs: number): typeof pg.Client {
  return class extends pg.Client {
    // The signature is overloaded in many ways, and passed on as it is.
    override query(...given: unknown[]): never {
      const answer = Reflect.apply(super.query, this, given) as unknown;
      if (answer instanceof Promise) void this.#giveUpLate(answer);
      return answer as never;
    }

    async #giveUpLate(answer: Promise<unknown>): Promise<void> {
      const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
      const timer = setTimeout(() => stream.destroy(), patienceMs);
      await answer.catch(() => {});
      clearTimeout(timer);
    }
  };
}
