import type pg from "pg";
import { lockSession } from "./locks.ts";
import { processOf } from "./pipeline.ts";

/**
 * Whether one process of PostgreSQL serves this client until it ends. Poolers give clients numbers of their own, and
 * may send each transaction to another process: notifications and locks of a session don't pass them.
 */
async function hasSession(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid === processOf(client);
}

/** Whether the connections of a pool have sessions of their own. */
export async function hasSessions(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  return hasSession(client).finally(() => client.release());
}

const AGAIN_MS = 1_000;

/**
 * Shows to `restore` that a server runs, by the lock of a connection that is kept open, so that nothing is written while
 * the server is idle. A lost connection is replaced.
 * @returns how to end it; undefined behind a pooler, which would keep the lock
 */
export async function showProgram(pool: pg.Pool): Promise<(() => void) | undefined> {
  let isEnded = false;
  let release: (() => void) | undefined;

  async function hold(): Promise<boolean> {
    const client = await pool.connect();
    const onLost = () => {
      release?.();
      again();
    };
    release = () => {
      client.off("error", onLost).release(true);
      release = undefined;
    };
    try {
      const isDirect = await hasSession(client);
      if (isDirect) await lockSession(client, "programs", "tryShared");
      if (!isDirect || isEnded) release?.();
      else client.once("error", onLost);
      return isDirect;
    } catch (error) {
      release?.();
      throw error;
    }
  }

  function again(): void {
    const work = () => hold().catch(() => isEnded || again());
    setTimeout(() => void work(), AGAIN_MS).unref();
  }

  if (!(await hold())) return undefined;
  return () => {
    isEnded = true;
    release?.();
  };
}
