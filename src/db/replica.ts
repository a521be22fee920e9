import { connect, type Connection, type ConnectOptions } from "./connect.ts";
import { reasonOf } from "./failures.ts";
import { type Look, lookAt, once, serverOf } from "./positions.ts";

export type Log = (level: "debug" | "info" | "warn", line: string) => void;

/** A server that is silent for longer is left out. */
const LOOK_PATIENCE_MS = 250;
const CONNECT_PATIENCE_MS = 1_000;
/** A read that takes longer is repeated on the primary; a search has its usual time. */
const READ_PATIENCE_MS = 500;
/** Between attempts to reach a server that can't be used. */
const PAUSE_MS = 500;
const GOOD_LOOKS = 2;
/** A position is asked for several times within this time. */
const YOUNG_MS = 500;

export interface ReplicaOptions {
  url: string;
  poolSize: number;
  searchTimeoutMs: number;
  isPreparing: boolean;
  log: Log;
  /** Why it isn't a standby of the primary. */
  faultOf: (look: Look) => string | undefined;
}

/** A hot standby. It is used after two good looks in a row, until a look or a read fails. */
export class Replica {
  readonly name: string;
  readonly reads: Connection;
  readonly slow: Connection;
  /** What it had replayed at the last look. */
  position = 0;
  lookedAt = -Infinity;
  /** Loads that run now, and all that began. */
  running = 0;
  loads = 0;
  begunAt = -Infinity;
  fault: string | undefined = "it has not answered yet";
  readonly look = once(() => this.#look());
  readonly #watch: Connection;
  readonly #options: ReplicaOptions;
  #goodLooks = 0;
  #triedAt = -Infinity;
  #startedAt: string | undefined;
  /** The start of a server that can't follow the primary any more. */
  #refused: string | undefined;

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
    return this.#goodLooks === GOOD_LOOKS && now - this.lookedAt < YOUNG_MS;
  }

  /** Looks, unless it was unusable a moment ago. */
  lookAgain(now: number): void {
    if (this.fault === undefined || now - this.#triedAt >= PAUSE_MS || this.#goodLooks > 0) void this.look();
  }

  async #look(): Promise<void> {
    this.#triedAt = performance.now();
    try {
      const look = await lookAt(this.#watch.db);
      if (look.startedAt === this.#refused) return;
      this.#startedAt = look.startedAt;
      const fault = this.#options.faultOf(look);
      if (fault !== undefined) return this.leaveOut(fault);
      this.position = look.position;
      this.lookedAt = performance.now();
      if (this.#goodLooks < GOOD_LOOKS) this.#goodLooks += 1;
      if (this.fault === undefined || this.#goodLooks < GOOD_LOOKS) return;
      this.fault = undefined;
      this.#options.log("info", `The replica ${this.name} is used.`);
    } catch (error) {
      this.#lose(error);
    }
  }

  #lose(error: unknown): void {
    this.leaveOut(`it can't be reached (${reasonOf(error)})`);
  }

  begin(): void {
    this.loads += 1;
    this.running += 1;
    this.begunAt = performance.now();
  }

  end(): void {
    this.running -= 1;
  }

  /** After a read that failed. */
  fail(error: unknown): void {
    this.#options.log("debug", `A read of the replica ${this.name} failed (${reasonOf(error)}).`);
    this.#goodLooks = 0;
  }

  leaveOut(fault: string): void {
    if (fault !== this.fault) this.#options.log("warn", `The replica ${this.name} is left out: ${fault}.`);
    this.fault = fault;
    this.#goodLooks = 0;
    // A server that hangs would keep those who wait for it.
    for (const connection of [this.reads, this.slow]) connection.breakAll();
  }

  /** Leaves it out until it is started anew, from a copy of the primary. */
  refuse(fault: string): void {
    this.#refused = this.#startedAt;
    this.position = 0;
    this.leaveOut(fault);
  }

  async close(): Promise<void> {
    await Promise.all([this.reads, this.slow, this.#watch].map(({ pool }) => pool.end()));
  }
}
