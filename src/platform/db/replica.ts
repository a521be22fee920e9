import { connect, type Connection, type ConnectOptions, type Db } from "./connect.ts";
import { reasonOf } from "./failures.ts";
import { sql } from "kysely";

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

  /** Leaves it out while it has replayed (0: unknown) more than the primary has written since. */
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

export interface Look {
  /** How far its log is: written on a primary, replayed on a standby. */
  position: number;
  /** When the question left. */
  at: number;
  isStandby: boolean;
  /** Equal for a primary and its standbys. */
  system: string;
}

export async function lookAt(db: Db): Promise<Look> {
  const at = performance.now();
  const { rows } = await sql<Omit<Look, "at"> & { segmentBytes: number }>`
    select pg_is_in_recovery() as "isStandby",
      (select system_identifier::text from pg_control_system()) as system,
      pg_size_bytes(current_setting('wal_segment_size'))::int as "segmentBytes",
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
        - '0/0'::pg_lsn)::float8 as position`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The database doesn't tell its position.");
  const { segmentBytes, ...look } = row;
  return { ...look, position: withoutHead(look.position, segmentBytes), at };
}

/** Whether one is a standby of the other. */
export const isStandbyOf = (own: Look, primary: Pick<Look, "system">): boolean =>
  own.isStandby && own.system === primary.system;

/** Runs the work once at a time: a call meanwhile waits for the same run. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

const PAGE_BYTES = 8_192;
const PAGE_HEAD_BYTES = 24;
const SEGMENT_HEAD_BYTES = 40;

/** A primary that has filled a page names the place behind the head of the next one, a standby the end of the page. */
function withoutHead(position: number, segmentBytes: number): number {
  if (position % segmentBytes === SEGMENT_HEAD_BYTES) return position - SEGMENT_HEAD_BYTES;
  return position % PAGE_BYTES === PAGE_HEAD_BYTES ? position - PAGE_HEAD_BYTES : position;
}

/** The host of an address, without what is secret. */
export function serverOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return (
    host || [searchParams.get("host"), searchParams.get("port")].filter(Boolean).join(":") || "localhost"
  );
}
