import type { PoolConfig } from "pg";
import { type Config, readConfig } from "../config.ts";
import { connect, type Connection } from "../db/connect.ts";
import { openEngine } from "../db/embedded/engine.ts";
import { type Preparation, prepareDatabase } from "../db/prepare-database.ts";
import { type JsonOption, note } from "./output.ts";

/** Enough for one transaction and the queries beside it. */
const POOL_SIZE = 4;

/** Runs `work` with the current schema, then closes everything. Shares the engine of a running server or command. */
export async function withDatabase<T>(
  options: JsonOption,
  work: (connection: Connection, preparation: Preparation) => Promise<T>,
  prepare = prepareDatabase,
): Promise<T> {
  const config = readConfig();
  const log = options.json ? () => {} : note;
  const { connection, owner, close } = await openConnection(config, log);
  const preparing = { isOn: config.preparedStatements === "auto" };
  const opened = connect({ connection, poolSize: POOL_SIZE, preparing });
  try {
    await prepare(opened, { owner, log });
    return await work(opened, { owner, log });
  } finally {
    await opened.db.destroy();
    await close();
  }
}

export async function openConnection(config: Config, log: (line: string) => void): Promise<OpenConnection> {
  if (config.databaseUrl !== undefined) return { ...namedConnections(config), close: async () => {} };
  const { connection, owner, stop } = await openEngine({ dataDir: config.dataDir, holder: "command", log });
  return { connection, owner, close: stop };
}

interface OpenConnection {
  connection: PoolConfig;
  /** Undefined if the program's role owns the tables. */
  owner: PoolConfig | undefined;
  close: () => Promise<void>;
}

export function namedConnections({ databaseUrl, databaseOwnerUrl }: Config) {
  return {
    connection: { connectionString: databaseUrl },
    owner: databaseOwnerUrl === undefined ? undefined : { connectionString: databaseOwnerUrl },
  };
}
