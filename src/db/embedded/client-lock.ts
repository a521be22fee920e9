import { lockSession, tryLockSession } from "../locks.ts";
import { connectionVia, type EngineConnection, openClient } from "./database.ts";
import { readPidFile } from "./processes.ts";

/** Joins the PostgreSQL of a cluster; undefined when none is ready or it is about to end. */
export async function join(cluster: string) {
  const pidFile = readPidFile(cluster);
  if (!pidFile?.ready) return undefined;
  const connection = connectionVia(pidFile.socketDir, pidFile.port);
  const client = await openClient(connection).catch(() => undefined);
  if (client === undefined) return undefined;
  if (await tryLockSession(client, "engineGuests", "shared").catch(() => false))
    return { connection, leave: () => client.end() };
  await client.end().catch(() => {});
  return undefined;
}

/** Waits for the last guest. No guest can join while the connection stays open. */
export async function dismissGuests(
  connection: EngineConnection,
  log: (line: string) => void,
): Promise<void> {
  try {
    const client = await openClient(connection);
    if (await tryLockSession(client, "engineGuests", "alone")) return;
    log("Another command still uses the database: waiting for it to end.");
    await lockSession(client, "engineGuests");
  } catch {}
}
