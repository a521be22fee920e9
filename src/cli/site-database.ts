import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { PoolConfig } from "pg";
import type { Config } from "../config.ts";
import { connect, type Connection } from "../db/connect.ts";
import { openEngine } from "../db/embedded/engine.ts";
import { checkDurability } from "./doctor-database.ts";
import { isPermanent, toSentence } from "./failures.ts";
import { prepareDatabase } from "./prepare-database.ts";
import type { Shutdown } from "./shutdown.ts";

interface Surroundings {
  log: FastifyBaseLogger;
  shutdown: Shutdown;
}

/**
 * The site's database, ready to be used. One that isn't there yet is waited for.
 * @throws what waiting can't mend
 */
export async function openSite(config: Config, { log, shutdown }: Surroundings): Promise<Connection> {
  const connection = await reach(config, { log, shutdown });
  const opened = connect({
    connection,
    poolSize: config.databasePoolSize,
    onLost: (error) => log.warn({ err: error }, "a connection to the database was lost"),
  });
  shutdown.defer("database", () => opened.pool.end());
  await waitUntilPrepared(opened, { log, shutdown });
  const { result, message } = await checkDurability(opened.db);
  if (result !== "ok") log.warn(message);
  return opened;
}

async function reach({ databaseUrl, dataDir }: Config, { log, shutdown }: Surroundings): Promise<PoolConfig> {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  const engine = await openEngine({ dataDir, holder: "server", log: (line) => log.info(line) });
  shutdown.defer("embedded PostgreSQL", () => engine.stop());
  return engine.connection;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

async function waitUntilPrepared(connection: Connection, { log, shutdown }: Surroundings): Promise<void> {
  let told = "";
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    shutdown.signal.throwIfAborted();
    try {
      return await prepareDatabase(connection, (line) => log.info(line));
    } catch (error) {
      if (isPermanent(error)) throw error;
      const sentence = toSentence(error);
      if (sentence !== told) log.warn(`${sentence} Trying again until then.`);
      told = sentence;
    }
    await sleep(pause, undefined, { signal: shutdown.signal });
  }
}
