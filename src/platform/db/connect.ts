import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { breakConnection } from "./pipeline.ts";
import { clientWith, type Preparing } from "./prepared.ts";
import type { DB as Tables } from "./tables.ts";

/** A pool or a running transaction. */
export type Db = Kysely<Tables>;

/** Each has its own connections, so that one can't use up another's. */
export interface Databases {
  /** Writes, and reads that must see them. */
  main: Db;
  /** Reads of strangers: on the server that their load has, elsewhere on the primary. */
  replica: Db;
  /** Reads that requests share: each statement on the primary or, while that is away, on a replica. */
  shared: Db;
  slow: Db;
  jobs: Db;
  replicas?: Replicas | undefined;
}

/** The most that the state of a replica is behind when a load begins. */
export const LAG_MS = 500;

export interface Replicas {
  /** Strangers read the last known state meanwhile, and nothing is written. */
  readonly isPrimaryAway: boolean;
  /** Loads from one server: a replica or the primary. A load may be repeated, so it must have no effect. */
  load<T>(work: Load<T>): Promise<T>;
}

export type Load<T> = (db: Databases) => Promise<T>;

export interface ConnectOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  /** The database gives up a statement after this time, and the client its connection a little later. */
  statementTimeoutMs?: number;
  /** The client gives up its connection after this time without an answer. Default: a little after the database. */
  patienceMs?: number;
  /** Called for every connection that breaks; without a listener Node would end the process. */
  onLost?: (error: Error) => void;
  /** Default: until connections do not keep prepared statements. */
  preparing?: Preparing;
}

export type Connection = ReturnType<typeof connect>;

export function connect(options: ConnectOptions) {
  const { connection, poolSize, statementTimeoutMs, preparing = { isOn: true }, onLost } = options;
  const { patienceMs = statementTimeoutMs && statementTimeoutMs + GRACE_MS } = options;
  const clients = new Set<pg.Client>();
  const retired = new WeakSet<pg.ClientBase>();
  const breakAll = () => clients.forEach(breakConnection);
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
      patienceMs,
      preparing,
      // A primary that has become a standby.
      onReadOnly: () => retire(clients),
      onEnded: (client) => retire([client]),
    }),
  });
  /** Ends each of the connections when its use ends. */
  function retire(some: Iterable<pg.ClientBase>): void {
    for (const client of some) retired.add(client);
    if (pool.listenerCount("release") > 0) return;
    // The pool keeps no client that ends.
    pool.on("release", (_error, client) => void (retired.has(client) && client.end()));
  }
  const report = (error: Error) => {
    // Connections may close after the database when a pool ends.
    if (!pool.ending) onLost?.(error);
  };
  pool.on("error", report);
  // A connection also breaks between two statements of a transaction.
  pool.on("connect", (client) => {
    clients.add(client);
    client.on("error", report).once("end", () => clients.delete(client));
  });
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool, breakAll, connection };
}

const GRACE_MS = 500;
