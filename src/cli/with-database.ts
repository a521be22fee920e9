import type { PoolConfig } from "pg";
import { type Config, readConfig } from "../config.ts";
import { connect, type Connection } from "../db/connect.ts";
import { openEngine } from "../db/embedded/engine.ts";
import { checkServer, prepareDatabase } from "../db/prepare-database.ts";
import { type JsonOption, note } from "./output.ts";

/** For one transaction and the queries beside it. */
const POOL_SIZE = 4;

/**
 * Runs `work` with the current schema, then closes everything. It shares the engine of a running server or command.
 */
export function withDatabase<T>(
  options: JsonOption,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return withConnection(options, async (connection) => {
    await prepareDatabase(connection, logOf(options));
    return work(connection);
  });
}

export function withAnySchema<T>(
  options: JsonOption,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return withConnection(options, async (connection) => {
    await checkServer(connection.db);
    return work(connection);
  });
}

async function withConnection<T>(
  options: JsonOption,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  const { connection, close } = await openConnection(config, logOf(options));
  const preparing = { isOn: config.preparedStatements === "auto" };
  const opened = connect({ connection, poolSize: POOL_SIZE, preparing });
  try {
    return await work(opened);
  } finally {
    await opened.db.destroy();
    await close();
  }
}

export async function openConnection(
  { databaseUrl, dataDir }: Config,
  log: (line: string) => void,
): Promise<{ connection: PoolConfig; close: () => Promise<void> }> {
  if (databaseUrl !== undefined)
    return { connection: { connectionString: databaseUrl }, close: async () => {} };
  const engine = await openEngine({ dataDir, holder: "command", log });
  return { connection: engine.connection, close: () => engine.stop() };
}

function logOf({ json }: JsonOption): (line: string) => void {
  return json ? () => {} : note;
}
