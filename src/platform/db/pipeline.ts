import { type ConnectionProvider, CompiledQuery, type Kysely, PostgresDialect, Transaction } from "kysely";
import type pg from "pg";
import { failureCode } from "./failures.ts";
import type { DB } from "./tables.ts";

// The only file that uses what Kysely and pg don't document: `getExecutor`, `connection.stream` and `processID`.

/** A transaction whose statements leave without waiting for answers; `begin` leaves with the first. */
export async function pipelined<T>(db: Kysely<DB>, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection(async (connection) => {
    let hasEnded = false;
    const provider: ConnectionProvider = {
      async provideConnection(consume) {
        if (hasEnded) throw new Error("the transaction has ended");
        return consume(connection);
      },
    };
    const tx = new Transaction<DB>({ ...UNUSED, executor: executor.withConnectionProvider(provider) });
    // It fails only with its connection, and so do the statements after it.
    connection.executeQuery(CompiledQuery.raw("begin")).catch(() => undefined);
    try {
      const result = await work(tx);
      hasEnded = true;
      await connection.executeQuery(CompiledQuery.raw("commit"));
      return result;
    } catch (error) {
      hasEnded = true;
      await connection.executeQuery(CompiledQuery.raw("rollback"));
      throw error;
    }
  });
}

const DIALECT = new PostgresDialect({ pool: () => Promise.reject(new Error("a transaction has its own")) });
/** Begins and ends connections and transactions, which `pipelined` does. */
const UNUSED = { dialect: DIALECT, config: { dialect: DIALECT }, driver: DIALECT.createDriver() };

/** Statements of one turn of the event loop leave in one write, if this is called before each. */
export function gather({ connection: { stream } }: pg.Client): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

export function breakConnection({ connection }: pg.Client): void {
  connection.stream.destroy();
}

/** The number of the process of PostgreSQL that the server, or a pooler in its place, gave a client. */
export const processOf = (client: pg.ClientBase): number | null =>
  (client as pg.ClientBase & { processID: number | null }).processID;

const FAILED_TRANSACTION = "25P02";

type Answers<Work extends readonly unknown[]> = { [Key in keyof Work]: Awaited<Work[Key]> };

/** Waits for statements that left together. Of several failures it throws the first cause. */
export async function together<Work extends readonly unknown[]>(...work: Work): Promise<Answers<Work>> {
  const settled = await Promise.allSettled(work);
  const failures: unknown[] = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (failures.length > 0)
    throw failures.find((failure) => failureCode(failure) !== FAILED_TRANSACTION) ?? failures[0];
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as Answers<Work>;
}
