import { type ConnectionProvider, type Driver, PostgresDialect, CompiledQuery, Transaction } from "kysely";
import { failureCode } from "./failures.ts";
import type { DB } from "./tables.ts";

/** A dialect whose transactions send `begin` together with their first statement. */
export class PipelinedDialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    return Object.assign(driver, {
      async beginTransaction(...[connection, settings]: Parameters<Driver["beginTransaction"]>) {
        const { isolationLevel, accessMode } = settings;
        const level = isolationLevel === undefined ? "" : ` isolation level ${isolationLevel}`;
        const mode = accessMode === undefined ? "" : ` ${accessMode}`;
        const begun = connection.executeQuery(CompiledQuery.raw(`begin${level}${mode}`));
        // It fails only with its connection, and so do the statements after it.
        begun.catch(() => undefined);
      },
    });
  }
}

const DIALECT = new PipelinedDialect({
  pool: () => Promise.reject(new Error("a transaction has its connection")),
});

/** The same transaction, which sends each statement without waiting for the answers to earlier ones. */
export async function pipelined(tx: Transaction<DB>): Promise<Transaction<DB>> {
  const executor = tx.getExecutor();
  const connection = await executor.provideConnection(async (given) => given);
  const provider: ConnectionProvider = { provideConnection: (consume) => consume(connection) };
  return new Transaction<DB>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver: DIALECT.createDriver(),
    executor: executor.withConnectionProvider(provider),
  });
}

const FAILED_TRANSACTION = "25P02";

type Answers<Work extends readonly unknown[]> = { [Key in keyof Work]: Awaited<Work[Key]> };

/**
 * Waits for statements that have left together, and returns their answers. Of several failures it throws the first in
 * this order that isn't a consequence of another.
 */
export async function together<Work extends readonly unknown[]>(...work: Work): Promise<Answers<Work>> {
  const settled = await Promise.allSettled(work);
  const failures: unknown[] = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (failures.length > 0) {
    throw failures.find((failure) => failureCode(failure) !== FAILED_TRANSACTION) ?? failures[0];
  }
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as Answers<Work>;
}
