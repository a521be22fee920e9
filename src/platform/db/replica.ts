import { connect, type Connection, type ConnectOptions } from "./connect.ts";
import { reasonOf } from "./failures.ts";
import { isStandbyOf, type Look, lookAt, once, serverOf } from "./positions.ts";

/** A server that is silent for longer is left out. */
const LOOK_PATIENCE_MS = 250;
const CONNECT_PATIENCE_MS = 1_000;
/** A read that takes longer is repeated on the primary; a search has its usual time. */
const READ_PATIENCE_MS = 500;
/** A position is asked for several times within this time. */
const YOUNG_MS = 500;

const STRANGER = "it is no standby of the database that DATABASE_URL names";
const AHEAD = "it is ahead of the primary, so it follows another one";

export interface ReplicaOptions {
  url: string;
  poolSize: number;
  searchTimeoutMs: number;
  isPreparing: boolean;
  log: (level: "debug" | "info" | "warn", line: string) => void;
  /** Undefined until it has answered. */
  primary: () => Pick<Look, "system"> | undefined;
}

/** A hot standby. */
export class Replica {
  readonly name: string;
  readonly reads: Connection;
  readonly slow: Connection;
  /** What it had replayed at the last look. */
  position = 0;
  lookedAt = -Infinity;
  /** What the primary had written when the two were first compared; one that stays behind it has left the primary. */
  floor = Infinity;
  /** Loads that run now, and all that began. */
  running = 0;
  loads = 0;
  begunAt = -Infinity;
  fault: string | undefined = "it has not answered yet";
  #hasFailed = false;
  readonly look = once(() => this.#look());
  readonly #watch: Connection;
  readonly #options: ReplicaOptions;

  constructor(options: ReplicaOptions) {
    const { url, poolSize, searchTimeoutMs: slowMs, isPreparing } = options;
    this.#options = options;
    this.name = serverOf(url);
    const preparing = { isOn: isPreparing };
    const open = (most: Omit<ConnectOptions, "connection">, connectionTimeoutMillis = READ_PATIENCE_MS) =>
      connect({ connection: { connectionString: url, connectionTimeoutMillis }, preparing, ...most });
    this.reads = open({ poolSize, statementTimeoutMs: READ_PATIENCE_MS });
    this.slow = open({ poolSize: Math.ceil(poolSize / 2), statementTimeoutMs: slowMs });
    this.#watch = open({ poolSize: 1, patienceMs: LOOK_PATIENCE_MS }, CONNECT_PATIENCE_MS);
    this.#watch.pool.on("error", (error) => this.#lose(error));
  }

  isUsable(now: number): boolean {
    return this.fault === undefined && !this.#hasFailed && now - this.lookedAt < YOUNG_MS;
  }

  async #look(): Promise<void> {
    const { primary } = this.#options;
    try {
      const look = await lookAt(this.#watch.db);
      const compared = primary();
      if (compared === undefined) return;
      if (!isStandbyOf(look, compared)) return this.#leaveOut(STRANGER);
      this.position = look.position;
      this.lookedAt = performance.now();
      this.#hasFailed = false;
      if (this.floor < Infinity) this.#accept();
    } catch (error) {
      this.#lose(error);
    }
  }

  /**
   * Leaves it out while it has replayed more than the primary has written since.
   * @param replayed 0 before the first look
   */
  compare(replayed: number, written: number): void {
    if (replayed > written) {
      this.floor = Infinity;
      this.#leaveOut(AHEAD);
    } else if (this.floor === Infinity && replayed > 0) {
      this.floor = written;
      this.#accept();
    }
  }

  #accept(): void {
    if (this.fault !== undefined) this.#options.log("info", `The replica ${this.name} is used.`);
    this.fault = undefined;
  }

  #lose(error: unknown): void {
    this.#leaveOut(`it can't be reached (${reasonOf(error)})`);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.loads += 1;
    this.running += 1;
    this.begunAt = performance.now();
    return work().finally(() => (this.running -= 1));
  }

  /** Leaves it out until the next look, after a read that failed. */
  fail(error: unknown): void {
    this.#options.log("debug", `A read of the replica ${this.name} failed (${reasonOf(error)}).`);
    this.#hasFailed = true;
  }

  #leaveOut(fault: string): void {
    if (fault !== this.fault) this.#options.log("warn", `The replica ${this.name} is left out: ${fault}.`);
    this.fault = fault;
    // A server that hangs would keep those who wait for it.
    for (const connection of [this.reads, this.slow]) connection.breakAll();
  }

  async close(): Promise<void> {
    await Promise.all([this.reads, this.slow, this.#watch].map(({ pool }) => pool.end()));
  }
}
