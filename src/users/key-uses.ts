import type { Db } from "../db/connect.ts";
import * as queries from "./queries.ts";

/** A use of a key that is noted unless another one was since `before`. */
interface Use {
  id: number;
  now: Date;
  before: Date;
}

/** What waits to be written down, by pool. */
const waiting = new WeakMap<Db, Map<number, Use>>();

/**
 * Notes a use of a key in the background. Nobody waits for this and nothing depends on it: a read is
 * served by a database that can't be written, too. It takes one connection at most, because a lock
 * or a slow disk would else keep reads waiting for those that are left.
 */
export function noteUse(db: Db, use: Use): void {
  const uses = waiting.get(db);
  if (uses) {
    uses.set(use.id, use);
    return;
  }
  const first = new Map([[use.id, use]]);
  waiting.set(db, first);
  void writeAll(db, first);
}

async function writeAll(db: Db, uses: Map<number, Use>): Promise<void> {
  // Also goes through what comes meanwhile.
  for (const [id, use] of uses) {
    uses.delete(id);
    await queries.touchKey(db, use).catch(() => {});
  }
  waiting.delete(db);
}
