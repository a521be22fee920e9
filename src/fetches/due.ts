import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import { type AttemptOptions, attempt } from "./attempt.ts";
import * as queries from "./queries.ts";

export interface DueOptions extends AttemptOptions {
  db: Db;
  kind: string;
  /** How many at once. */
  concurrency?: number;
  /** Only these; it is then over when none of them is due any more, whoever has fetched it. */
  ids?: readonly number[];
}

/** How long nothing is looked for when there was nothing, while something is still under way. */
const PAUSE_MS = 500;

/**
 * Fetches all that is due, several at once, and returns how many. Any number of processes may do so: what one
 * has taken the others leave alone until it is done or its lease has passed, as that of a killed process does.
 * @throws the first failure for which nobody elsewhere is to blame, when those that run are done
 */
export async function fetchDue(options: DueOptions): Promise<number> {
  const round = new Round(options);
  try {
    do await round.fill();
    while (await round.goesOn());
  } finally {
    await round.settled();
  }
  return round.end();
}

/** What is under way in this process. */
class Round {
  readonly #options: DueOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #failures: unknown[] = [];
  #done = 0;

  constructor(options: DueOptions) {
    this.#options = options;
  }

  /** Takes as many as there is room for. */
  async fill(): Promise<void> {
    const { db, kind, now, ids, leaseSeconds = 40, concurrency = 4 } = this.#options;
    while (this.#running.size < concurrency && !this.#isOver) {
      const leased = await queries.lease(db, kind, { now: now(), ids, seconds: leaseSeconds });
      if (leased === undefined) return;
      this.#run(leased);
    }
  }

  /** Waits until something has changed, or may have; false when there is nothing to wait for. */
  async goesOn(): Promise<boolean> {
    const { db, kind, ids, now } = this.#options;
    const isAwaited = !this.#isOver && ids !== undefined && (await queries.isAnyDue(db, kind, ids, now()));
    if (this.#running.size === 0 && !isAwaited) return false;
    const waiting = new AbortController();
    const pause = sleep(PAUSE_MS, undefined, waiting).catch(() => {});
    await Promise.race([...this.#running, pause]);
    waiting.abort();
    return true;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  end(): number {
    if (this.#failures.length > 0) throw this.#failures[0];
    return this.#done;
  }

  /** A failure of our own may befall the next one too, so there is none in this round. */
  get #isOver(): boolean {
    return this.#options.signal?.aborted === true || this.#failures.length > 0;
  }

  #run(leased: queries.Leased): void {
    const run = attempt(leased, this.#options)
      .then(() => void (this.#done += 1))
      .catch((failure: unknown) => void this.#failures.push(failure))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }
}
