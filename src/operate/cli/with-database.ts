import { type Config, readConfig } from "../../platform/config.ts";
import { connect, type Connection } from "../../platform/db/connect.ts";
import { openEngine } from "../../platform/db/embedded/engine.ts";
import { type Preparation, prepareDatabase } from "../../platform/db/prepare-database.ts";
import { type JsonOption, note } from "./output.ts";
import { invalid } from "../../platform/errors.ts";

/** Enough for one transaction and the queries beside it. */
const POOL_SIZE = 4;

/** Runs `work` with the current schema. Shares the engine of a running server or command. */
export async function withDatabase<T>(
  { json, creates = false }: JsonOption & { creates?: boolean | undefined },
  work: (connection: Connection, preparation: Preparation) => Promise<T>,
  prepare = prepareDatabase,
): Promise<T> {
  const config = readConfig();
  const log = json ? () => {} : note;
  const { connection, owner, close } = await openConnection(config, log, creates);
  const preparing = { isOn: config.preparedStatements === "auto" };
  const opened = connect({ connection, poolSize: POOL_SIZE, preparing });
  try {
    await prepare(opened, { owner, log, creates });
    return await work(opened, { owner, log });
  } finally {
    await opened.db.destroy();
    await close();
  }
}

export async function openConnection(config: Config, log: Preparation["log"], creates = false) {
  if (config.databaseUrl !== undefined) return { ...namedConnections(config), close: async () => {} };
  const { dataDir } = config;
  const { connection, owner, stop } = await openEngine({ dataDir, holder: "command", log, creates });
  return { connection, owner, close: stop };
}

/** The owner is undefined if the program's role owns the tables. */
export function namedConnections({ databaseUrl, databaseOwnerUrl: owner }: Config) {
  return {
    connection: { connectionString: databaseUrl },
    owner: owner === undefined ? undefined : { connectionString: owner },
  };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Aborts the signal of `work` when the process is told to stop. @throws AppError invalid then */
export async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const name of SIGNALS) process.once(name, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    throw stopping.signal.aborted ? invalid("Stopped before the end: nothing is left of it.") : error;
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}
