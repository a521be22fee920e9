import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { lockSession, tryLockSession } from "../locks.ts";
import { connectionVia, openClient, type EngineConnection } from "./database.ts";
import { readPidFile } from "./processes.ts";

const RETURN_MILLISECONDS = 200;

/** The types of `pg` lack these: whether an open connection keeps the process alive. */
type Referable = pg.Client & Record<"ref" | "unref", () => void>;

export interface Guest {
  connection: EngineConnection;
  leave(): Promise<void>;
}

/** Joins the PostgreSQL of a cluster; undefined when none is ready or it is about to end. */
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

  /** Repeats the registration after a restart of PostgreSQL. */
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
    if (await tryLockSession(client, "engineGuests", "shared")) {
      (client as Referable).unref();
      return client;
    }
  } catch {}
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
