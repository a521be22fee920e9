import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import * as queries from "./queries.ts";

const BATCH = 500;

/** Puts the tag that this one is another name of in its place, in small transactions; returns how many listings there were. */
export async function followAlias(db: Db, alias: string): Promise<number> {
  for (let total = 0, after = 0; ;) {
    const ids = await inTransaction(db, (tx) => queries.replaceTag(tx, alias, { after, limit: BATCH }));
    const last = ids.at(-1);
    if (last === undefined) return total;
    total += ids.length;
    after = last;
  }
}
