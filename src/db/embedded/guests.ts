import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { connectionVia, openClient, type EngineConnection } from "./database.ts";
import { readPidFile } from "./pid-file.ts";

/**
 * Every command that uses another's PostgreSQL holds this lock shared, and a command that wants to shut its own down
 * takes it alone: it then has no guests and can get no new ones.
 */
const GUEST_LOCK = 7_232_018;

const RETURN_MILLISECONDS = 200;

/** What `pg` has and its types lack: whether an open connection keeps the process alive. */
type Referable = pg.Client & Record<"ref" | "unref", () => void>;

export interface Guest {
  connection: EngineConnection;
  leave(): Promise<void>;
}

/** Joins the PostgreSQL that runs on a cluster; undefined when none is ready or it is about to end. */
export async function join(cluster: string): Promise<Guest | undefined> {
  const pidFile = readPidFile(cluster);
  if (!pidFile?.ready) return undefined;
  const connection = connectionVia(pidFile.socketDir, pidFile.port);
  let client = await register(connection);
  if (client === undefined) return undefined;
  const left = new AbortController();
  const stay = (registered: pg.Client) => {
    registered.once("end", () => void comeBack());
  };
  stay(client);
  return {
    connection,
    async leave() {
      left.abort();
      (client as Referable | undefined)?.ref();
      await client?.end();
    },
  };

  /** After a restart of PostgreSQL the registration is gone and is made again. */
  async function comeBack(): Promise<void> {
    while (!left.signal.aborted) {
      client = await register(connection);
      if (client !== undefined) return left.signal.aborted ? client.end() : stay(client);
      await sleep(RETURN_MILLISECONDS, undefined, { ref: false });
    }
  }
}

async function register(connection: EngineConnection): Promise<pg.Client | undefined> {
  let client: pg.Client;
  try {
    client = await openClient(connection);
  } catch {
    return undefined;
  }
  try {
    const { rows } = await client.query("select pg_try_advisory_lock_shared($1) as joined", [GUEST_LOCK]);
    if (rows[0]?.joined === true) {
      (client as Referable).unref();
      return client;
    }
  } catch {
    // The connection broke: as good as none.
  }
  await client.end().catch(() => {});
  return undefined;
}

/** Returns when there are no guests; from then on there are none, as long as the connection that asked is open. */
export async function dismissGuests(
  connection: EngineConnection,
  log: (line: string) => void,
): Promise<void> {
  try {
    const client = await openClient(connection);
    const { rows } = await client.query("select pg_try_advisory_lock($1) as alone", [GUEST_LOCK]);
    if (rows[0]?.alone === true) return;
    log("Another command still uses the database: waiting for it to end.");
    await client.query("select pg_advisory_lock($1)", [GUEST_LOCK]);
  } catch {
    // A PostgreSQL that cannot be asked has no guests to wait for.
  }
}
