import { sql } from "kysely";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Db } from "./connect.ts";
import { inCopyingTransaction } from "./copying.ts";
import { UNLIMITED } from "./locks.ts";
import { breakConnection } from "./pipeline.ts";

interface Table {
  schema: string;
  name: string;
  columns: readonly string[];
}

export interface Snapshot {
  /** Everything is as it was at one moment. */
  db: Db;
  /** The rows of a table, as `COPY` writes them. */
  copy: (table: Table) => AsyncIterable<Buffer>;
  /** The number of rows of the last copy. */
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

function nameOf({ schema, name }: Table): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}
