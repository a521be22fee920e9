import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Db } from "./connect.ts";
import { UNLIMITED } from "./locks.ts";
import type { DB } from "./tables.ts";

interface Table {
  schema: string;
  name: string;
  columns: readonly string[];
}

export interface Snapshot {
  /** One connection, on which everything is as it was at one moment. */
  db: Db;
  /** The rows of a table, as `COPY` writes them. */
  copy: (table: Table) => AsyncIterable<Buffer>;
  /** The number of rows of the last copy. */
  countCopied: () => Promise<number>;
}

/** Another form of dates or a policy of rows must not change what is read. A lock is worth waiting for. */
const SETTINGS = `
  set local statement_timeout = 0; set local lock_timeout = '30s'; set local row_security = off;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local client_encoding = 'UTF8'`;

/**
 * Runs `work` in one transaction that reads only, on a connection of its own: those of a pool send statements ahead,
 * which `COPY` doesn't survive. The tables keep their columns until it ends.
 * @param tables finds those that `work` copies
 */
export async function withSnapshot<T>(
  connection: pg.ClientConfig,
  tables: (db: Db) => Promise<readonly Table[]>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ application_name: "inkstone backup", keepAlive: true, ...connection });
  // The statement that is running fails too.
  client.on("error", () => {});
  await client.connect();
  const lent: pg.PoolClient = Object.assign(client, { release: () => {} });
  const pool = async () => ({ connect: async () => lent, end: async () => {} });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const copied = await tables(db);
    await client.query("begin isolation level repeatable read, read only");
    await client.query(SETTINGS);
    // Takes no snapshot, so that no other transaction can change a table between the two.
    if (copied.length > 0)
      await client.query(`lock table ${copied.map(nameOf).join(", ")} in access share mode`);
    await UNLIMITED.execute(db);
    const result = await work({ db, ...copying(client) });
    await client.query("commit");
    return result;
  } finally {
    await client.end();
  }
}

function copying(client: pg.Client): Pick<Snapshot, "copy" | "countCopied"> {
  let last: ReturnType<typeof copyTo> | undefined;
  return {
    copy(table) {
      const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
      // A partitioned table can only be copied by a query.
      last = client.query(copyTo(`copy (select ${columns} from ${nameOf(table)}) to stdout`));
      // Of a copy that is given up.
      return last.on("error", () => {});
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
