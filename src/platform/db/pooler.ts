import type pg from "pg";
import { lockSession } from "./locks.ts";
import { processOf } from "./pipeline.ts";

/** Whether one process of PostgreSQL serves a client until it ends, which no pooler promises. */
async function hasSession(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid === processOf(client);
}

export async function hasSessions(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  return hasSession(client).finally(() => client.release());
}

const AGAIN_MS = 1_000;

/** Shows `restore` that a server runs, by the lock of a session. Returns its end; undefined behind a pooler. */
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
