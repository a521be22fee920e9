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

export interface Surroundings {
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
  await whenAvailable({ log, shutdown }, async () => {
    await prepareDatabase(opened, (line) => log.info(line));
    const { result, message } = await checkDurability(opened.db);
    if (result !== "ok") log.warn(message);
  });
  return opened;
}

async function reach({ databaseUrl, dataDir }: Config, { log, shutdown }: Surroundings): Promise<PoolConfig> {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  const engine = await openEngine({ dataDir, holder: "server", log: (line) => log.info(line) });
  shutdown.defer("engine", () => engine.stop());
  return engine.connection;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Does what needs the database, again and again until it is there.
 * @throws what waiting can't mend, and when the process is told to stop
 */
export async function whenAvailable<T>({ log, shutdown }: Surroundings, work: () => Promise<T>): Promise<T> {
  let told = "";
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    shutdown.signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (isPermanent(error)) throw error;
      const sentence = toSentence(error);
      if (sentence !== told) log.warn(`${sentence} Trying again until then.`);
      told = sentence;
    }
    await sleep(pause, undefined, { signal: shutdown.signal });
  }
}
