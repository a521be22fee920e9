import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../platform/config.ts";
import type { Pool } from "pg";
import type { Connections } from "../workers/messages.ts";
import { poolSizes } from "../../platform/config/connections.ts";
import { connect, type ConnectOptions, type Databases } from "../../platform/db/connect.ts";
import { checkRoom, prepareDatabase } from "../../platform/db/prepare-database.ts";
import { showProgram } from "../../platform/db/pooler.ts";
import { checkDurability, checkLetters } from "../health/checks.ts";
import { isPermanent, toSentence } from "./failures.ts";
import type { EarlyEngine } from "./early-engine.ts";
import type { Shutdown } from "./shutdown.ts";
import { namedConnections } from "./with-database.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";

export interface Lifecycle {
  log: FastifyBaseLogger;
  shutdown: Shutdown;
  /** Whether this process sets the site up: of several workers, one does. */
  isFirst: boolean;
  /** Of all workers, at the most. */
  connections: number;
  onWait: () => void;
}

type Opening = Pick<EarlyEngine, "opening"> | { opening: Promise<Connections> };

/** A search gives up a little earlier. */
const WEB_TIMEOUT_MS = 2_500;
const SLOW_TIMEOUT_MS = 2_000;

const NOT_PREPARED =
  "The connection pooler doesn't keep prepared statements, so reads do without them: PgBouncer keeps them from 1.21 on, with max_prepared_statements.";

/** Waits for an unavailable database. @throws a permanent error */
export async function openSite(config: Config, engine: Opening | undefined, lifecycle: Lifecycle) {
  const { log, shutdown, isFirst, connections } = lifecycle;
  const found = (await engine?.opening) ?? namedConnections(config);
  const { connection, owner } = found;
  let toldAt = -Infinity;
  // A server that ends takes many with it.
  const onLost = (error: Error) => {
    if (performance.now() - toldAt < 1_000) return;
    toldAt = performance.now();
    log.warn(`A connection to the database was lost: ${error.message}`);
  };
  const preparing = { isOn: config.preparedStatements === "auto", onOff: () => log.warn(NOT_PREPARED) };
  const open = (options: Omit<ConnectOptions, "connection">) => {
    const opened = connect({ connection, ...options, onLost, preparing });
    shutdown.defer("database", () => opened.pool.end());
    return opened;
  };
  const sizes = poolSizes(config);
  const jobs = open({ poolSize: sizes.jobs });
  let isShown = false;
  await whenAvailable(lifecycle, async () => {
    isShown ||= await show(jobs.pool, lifecycle);
    await prepareDatabase(jobs, { owner, log: (line) => log.info(line) });
    if (!isFirst) return;
    if (connections > 0) await checkRoom(jobs, connections);
    for (const check of [checkDurability, checkLetters]) {
      const { result, message } = await check(jobs.db);
      if (result !== "ok") log.warn(message);
    }
  });
  const web = open({ poolSize: sizes.web, statementTimeoutMs: WEB_TIMEOUT_MS });
  const slow = open({ poolSize: sizes.slow, statementTimeoutMs: SLOW_TIMEOUT_MS });
  const breakAll = () => [jobs, web, slow].forEach((each) => each.breakAll());
  return { jobs, web: web.pool, slow: slow.pool, breakAll };
}

async function show(pool: Pool, { shutdown }: Lifecycle): Promise<true> {
  const end = await showProgram(pool);
  // The pool ends with its last connection, so this one ends first.
  if (end !== undefined) shutdown.defer("net", async () => end());
  return true;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Repeats `work` until the database is there. @throws a permanent error, or when the process is stopped */
export async function whenAvailable<T>(lifecycle: Lifecycle, work: () => Promise<T>): Promise<T> {
  const { log, shutdown, onWait } = lifecycle;
  let told = "";
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    shutdown.signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      // A process that stops doesn't wait.
      if (isPermanent(error) || shutdown.signal.aborted) throw error;
      const sentence = toSentence(error);
      if (sentence !== told) log.warn(`${sentence} Trying again until then.`);
      told = sentence;
    }
    onWait();
    await sleep(pause, undefined, { signal: shutdown.signal });
  }
}

interface Site extends Lifecycle {
  db: Databases;
  metrics: Metrics;
  breakAll: () => void;
}

/** Has replicas answer strangers from now on, if there are any. */
export async function openReplicas(config: Config, { db, metrics, breakAll, log, shutdown }: Site) {
  if (config.databaseReplicaUrls.length === 0 || config.role === "jobs") return;
  const { ReplicaSet } = await import("../../platform/db/replicas.ts");
  const replicas = new ReplicaSet(db, {
    urls: config.databaseReplicaUrls,
    primary: namedConnections(config).connection,
    poolSize: config.databasePoolSize,
    searchTimeoutMs: SLOW_TIMEOUT_MS,
    isPreparing: config.preparedStatements === "auto",
    log: (level, line) => log[level](line),
    onAway: breakAll,
  });
  shutdown.defer("database", () => replicas.close());
  metrics.watchReplicas(() => replicas.figures());
  Object.assign(db, { replicas, shared: replicas.shared } satisfies Partial<Databases>);
}
