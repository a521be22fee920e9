import { sql } from "kysely";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { connect, type Db } from "./connect.ts";
import { UNLIMITED } from "./locks.ts";
import { breakConnection } from "./pipeline.ts";

/** Another form of dates and numbers or a policy of rows must not change what is copied. A lock is worth waiting for. */
const SETTINGS = sql`
  set local statement_timeout = 0; set local lock_timeout = '30s'; set local row_security = off;
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local client_encoding = 'UTF8';
  set local extra_float_digits = 1`;

/** Runs `work` in a transaction with its client, for `COPY`, which no pipelined connection survives. */
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
    // A rollback on a broken connection fails too.
    throw failure ?? error;
  } finally {
    await db.destroy();
  }
}

interface Table {
  schema: string;
  name: string;
  columns: readonly string[];
}

export interface Snapshot {
  db: Db;
  /** The rows of a table, as `COPY` writes them. */
  copy: (table: Table) => AsyncIterable<Buffer>;
  countCopied: () => Promise<number>;
}

/** Runs `work` in one transaction that reads only. The tables keep their columns until it ends. */
export function withSnapshot<T>(
  connection: pg.PoolConfig,
  tables: readonly Table[],
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const named = { ...connection, application_name: "inkstone backup", keepAlive: true };
  return inCopyingTransaction(named, { isSnapshot: true }, async (db, client) => {
    // Takes no snapshot, so that no other transaction can change a table between the two.
    await sql.raw(`lock table ${tables.map(nameOf).join(", ")} in access share mode`).execute(db);
    await UNLIMITED.execute(db);
    return work({ db, ...copying(client) });
  });
}

function copying(client: pg.Client): Pick<Snapshot, "copy" | "countCopied"> {
  let last: ReturnType<typeof copyTo> | undefined;
  return {
    copy(table) {
      const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
      // A partitioned table can only be copied by a query.
      const copied = client.query(copyTo(`copy (select ${columns} from ${nameOf(table)}) to stdout`));
      last = copied;
      // One that is given up would keep its connection waiting for a reader.
      return copied
        .on("error", () => {})
        .on("close", () => void (copied.readableEnded || breakConnection(client)));
    },
    async countCopied() {
      // The number comes behind the rows, and before the next answer.
      await client.query("select");
      return last?.rowCount ?? 0;
    },
  };
}

const nameOf = ({ schema, name }: Table): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
