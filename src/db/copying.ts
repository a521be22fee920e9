import type pg from "pg";
import { connect, type Db } from "./connect.ts";

/** A transaction with the client that it runs on, for `COPY`, which a pipelined connection can't do. */
export async function inCopyingTransaction<T>(
  connection: pg.PoolConfig,
  work: (tx: Db, client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const { db, pool } = connect({ connection: { ...connection, pipeline: false }, poolSize: 1 });
  let client: pg.ClientBase | undefined;
  pool.on("connect", (opened) => (client = opened));
  try {
    return await db.transaction().execute((tx) => work(tx, client as pg.ClientBase));
  } finally {
    await db.destroy();
  }
}
