import type pg from "pg";
import { connect, type Connection } from "./connect.ts";
import { failureCode, isUnavailable, READ_ONLY, reasonOf } from "./failures.ts";
import { type Look, lookAt, once, withoutHead } from "./positions.ts";
import type { Log } from "./replica.ts";

/** Before the primary counts as away, it has been silent for this long on two connections. */
const PATIENCE_MS = 1_000;
/** A minute of them, by which lag is measured. */
const MAX_SAMPLES = 300;

interface PrimaryOptions {
  connection: pg.PoolConfig;
  log: Log;
  /** Called when a question leaves; the answer is given to what it returns. */
  onAsk: () => (sample: Look) => void;
  onAway: () => void;
}

/** The primary's positions, and whether it is there. */
export class Primary {
  /** The newest comes first. */
  readonly samples: Look[] = [];
  awaySince: number | undefined;
  readonly look = once(() => this.#look());
  readonly #watch: Connection;
  readonly #options: PrimaryOptions;

  constructor(options: PrimaryOptions) {
    this.#options = options;
    this.#watch = connect({
      connection: { connectionTimeoutMillis: PATIENCE_MS, ...options.connection },
      poolSize: 1,
      patienceMs: PATIENCE_MS,
    });
  }

  get system(): string | undefined {
    return this.samples[0]?.system;
  }

  withoutHead(position: number): number {
    return withoutHead(position, this.samples[0]?.segmentBytes ?? 16 * 1024 * 1024);
  }

  async #look(): Promise<void> {
    // The first attempt may meet a connection that was lost.
    await this.#sample()
      .catch(() => this.#sample())
      .catch((error: unknown) => this.#lose(error));
  }

  async #sample(): Promise<void> {
    const onSample = this.#options.onAsk();
    const look = await lookAt(this.#watch.db);
    if (look.isStandby) {
      this.#watch.breakAll();
      throw Object.assign(new Error("the database is a standby now"), { code: READ_ONLY });
    }
    const sample = { ...look, position: withoutHead(look.position, look.segmentBytes) };
    this.samples.unshift(sample);
    this.samples.length = Math.min(this.samples.length, MAX_SAMPLES);
    this.noteAnswer();
    onSample(sample);
  }

  /** A commit proves too that it is there. */
  noteAnswer(): void {
    if (this.awaySince !== undefined) this.#options.log("info", "The primary is back.");
    this.awaySince = undefined;
  }

  #lose(error: unknown): void {
    // A primary without room for a connection is there.
    const isAway = isUnavailable(error) && !failureCode(error).startsWith("53");
    if (this.awaySince !== undefined || !isAway) return;
    this.awaySince = performance.now();
    // They would hang as it does, or read from a standby.
    this.#options.onAway();
    const reason = reasonOf(error);
    this.#options.log("warn", `The primary is away (${reason}): replicas answer strangers until it is back.`);
  }

  async close(): Promise<void> {
    await this.#watch.pool.end();
  }
}
