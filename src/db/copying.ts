import { sql } from "kysely";
import type pg from "pg";
import { connect, type Db } from "./connect.ts";

/** Another form of dates and numbers or a policy of rows must not change what is copied. A lock is worth waiting for. */
const SETTINGS = sql`
  set local statement_timeout = 0; set local lock_timeout = '30s'; set local row_security = off;
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local client_encoding = 'UTF8';
  set local extra_float_digits = 1`;

/**
 * Runs `work` in a transaction with the client that it runs on, for `COPY`: a connection that sends statements ahead
 * doesn't survive it.
 * @param options.isSnapshot reads alone, and everything is as it is at the first query
 */
export async function inCopyingTransaction<T>(
  connection: pg.PoolConfig,
  { isSnapshot }: { isSnapshot: boolean },
  work: (tx: Db, client: pg.Client) => Promise<T>,
): Promise<T> {
  const { db, pool } = connect({ connection: { ...connection, pipeline: false }, poolSize: 1 });
  let client: pg.ClientBase | undefined;
  pool.on("connect", (opened) => (client = opened));
  const begun = db.transaction();
  const transaction = isSnapshot
    ? begun.setIsolationLevel("repeatable read").setAccessMode("read only")
    : begun;
  let failure: unknown;
  const run = async (tx: Db) => {
    await SETTINGS.execute(tx);
    return work(tx, client as pg.Client);
  };
  try {
    return await transaction.execute((tx) =>
      run(tx).catch((error: unknown) => {
        failure = error;
        throw error;
      }),
    );
  } catch (error) {
    // On a connection that broke, the rollback fails too.
    throw failure ?? error;
  } finally {
    await db.destroy();
  }
}
