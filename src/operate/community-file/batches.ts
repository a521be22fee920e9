import type { Db } from "../../platform/db/connect.ts";
import { faultIn } from "../../platform/db/failures.ts";
import { inSavepoint } from "../../platform/db/transaction.ts";
import {
  addTally,
  type Entry,
  type ImportContext,
  type ImportState,
  type RecordType,
  type Tally,
} from "../../community/records/record-type.ts";
import { type Bad, type Fields, label } from "./parse.ts";
import type { Batch } from "./read-batches.ts";

interface Written {
  tally: Tally;
  bad: Bad[];
}

type Created = Parameters<NonNullable<ImportContext["created"]>>;

type Options = Pick<ImportContext, "now" | "renderPool" | "created"> & {
  stopAtFirst: boolean;
};

export function createBatchWriter(tx: Db, { stopAtFirst, ...options }: Options) {
  const states = createStates();
  let rejected: { entry: Entry<unknown>; reason: string }[] = [];
  let created: Created[] = [];
  const context: ImportContext = {
    ...options,
    reject: (entry, reason) => rejected.push({ entry, reason }),
    state: states.state,
    created: (...row) => created.push(row),
  };

  /** A fault means that nothing of the batch is stored. */
  async function attempt(type: RecordType, batch: Entry<Fields>[]): Promise<Written | { fault: string }> {
    rejected = [];
    created = [];
    try {
      const tally = await inSavepoint(tx, () => type.write(tx, batch, context));
      for (const row of created) options.created?.(...row);
      return { tally, bad: rejected.map(({ entry, reason }) => toBad(type, entry as Entry<Fields>, reason)) };
    } catch (error) {
      const fault = faultIn(error);
      if (fault === undefined) throw error;
      return { fault };
    }
  }

  return {
    async prefetch({ type, entries }: Pick<Batch, "type" | "entries">): Promise<void> {
      const fields = entries.map((entry) => entry.fields);
      await type.prefetch?.(tx, fields, context);
    },
    /** Writes a batch without the bad records, which are found one by one if the batch is refused. */
    async write(type: RecordType, batch: Entry<Fields>[]): Promise<Written> {
      const whole = await attempt(type, batch);
      if (!("fault" in whole)) return whole;
      const written: Written = { tally: { created: 0, updated: 0, unchanged: 0 }, bad: [] };
      for (const entry of batch) {
        const one = await attempt(type, [entry]);
        if ("fault" in one) written.bad.push(toBad(type, entry, one.fault));
        else {
          addTally(written.tally, one.tally);
          written.bad.push(...one.bad);
        }
        if (stopAtFirst && written.bad.length > 0) break;
      }
      return written;
    },
    finish: () => states.finish(tx, options.now),
    afterCommit: (db: Db) => states.afterCommit(db, options.now),
  };
}

const toBad = (type: RecordType, { line, fields }: Entry<Fields>, reason: string): Bad => ({
  line,
  reason: `${label(type, fields)}: ${reason}`,
});

export function createStates() {
  const values = new Map<ImportState<unknown>, unknown>();
  const state: ImportContext["state"] = (declared) => {
    if (!values.has(declared)) values.set(declared, declared.initial());
    return values.get(declared) as ReturnType<typeof declared.initial>;
  };
  return {
    state,
    async finish(tx: Db, now: Date): Promise<void> {
      for (const [declared, value] of values) await declared.atEnd?.(tx, value, now);
    },
    async afterCommit(db: Db, now: Date): Promise<void> {
      for (const [declared, value] of values) await declared.afterCommit?.(db, value, now);
    },
  };
}
