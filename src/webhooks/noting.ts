import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import { createFairQueue } from "../fair-queue.ts";
import type { Outcome } from "./attempt.ts";
import * as queries from "./attempt-queries.ts";
import { noteOutcome, type Noted, type Surroundings } from "./outcomes.ts";

/** How often an endpoint is looked at that somebody holds, such as an import until its end. */
const PAUSE_MS = 250;
/** At so manieth looks the lease is extended; it lasts for six times as long. */
const EXTENDED_EVERY = 20;
/** The end of the process is held up by no more looks. */
const LOOKS_AT_THE_END = 20;

interface Noting extends Surroundings {
  db: Db;
  signal: AbortSignal;
}

interface Attempted {
  delivery: queries.Claimed;
  outcome: Outcome;
  /** Told when it has to wait, so that others may have its place. */
  onHeld: () => void;
}

/**
 * Writes outcomes down one at a time, so that many at the same moment leave the other work its connections. One
 * whose endpoint somebody else holds waits beside the others, and keeps its lease so that nobody sends it again.
 */
export function createNotes({ db, signal, ...surroundings }: Noting) {
  const queue = createFairQueue({ size: 1 });
  return async function note({ delivery, outcome, onHeld }: Attempted): Promise<Noted> {
    let looksAtTheEnd = 0;
    for (let look = 1; ; look++) {
      try {
        return await queue.run({ key: undefined }, () => noteOutcome(db, delivery, outcome, surroundings));
      } catch (error) {
        if (signal.aborted) looksAtTheEnd++;
        if (!queries.isHeld(error) || looksAtTheEnd > LOOKS_AT_THE_END) throw error;
      }
      onHeld();
      if (look % EXTENDED_EVERY === 1) await queries.extend(db, delivery);
      await sleep(PAUSE_MS);
    }
  };
}
