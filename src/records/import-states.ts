import type { Db } from "../db/connect.ts";
import type { ImportContext, ImportState } from "./record-type.ts";

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
