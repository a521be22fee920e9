import type { Db } from "../db/connect.ts";
import * as queries from "./queries.ts";

/** What a handler is given: something to fetch, which is this process's own for a while. */
export interface Claim extends queries.Holder {
  /** What the other server said of the version that was read last. */
  etag: string | undefined;
  lastModified: string | undefined;
  /** Ends what is under way, well before the lease ends. */
  signal: AbortSignal;
}

/**
 * Whether what this fetch brought may still be written: false when it took so long that somebody else took over,
 * or when it is not wanted any more. Asked in the transaction that writes, after people are held; until it ends
 * nobody else takes over.
 */
export function stillMine(tx: Db, claim: Claim): Promise<boolean> {
  return queries.hold(tx, claim);
}
