import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Databases, type Db, LAG_MS, type Load, type Replicas } from "./connect.ts";
import { failureCode, isUnavailable, isWaitForPool, STATEMENT_TIMEOUT } from "./failures.ts";
import type { Look } from "./positions.ts";
import { Primary } from "./primary.ts";
import { Replica, type ReplicaOptions } from "./replica.ts";
import { followCommits, positionOn } from "./transaction.ts";

const LOOK_EVERY_MS = 100;
/** The primary is asked less often: all processes ask it. */
const LOOKS_PER_SAMPLE = 2;
/** Nothing is asked while no stranger reads. */
const REST_AFTER_MS = 1_000;
/** Without their primary, replicas replay what they have received. */
const REPLAY_MS = 1_000;
/** A load waits for a replica that has answered within this time. */
const AWAY_PATIENCE_MS = 2 * REPLAY_MS;
const ATTEMPTS = 3;

export interface ReplicaSetOptions extends Omit<ReplicaOptions, "url" | "faultOf"> {
  urls: readonly string[];
  primary: pg.PoolConfig;
  /** The primary is away, or has become a standby: ends the other connections to it. */
  onAway: () => void;
}

/** A replica lacks what a search has found in memory. */
class Behind extends Error {}

const CONFLICT_WITH_RECOVERY = "40001";

const isOfServer = (error: unknown) =>
  error instanceof Behind || isUnavailable(error) || failureCode(error) === CONFLICT_WITH_RECOVERY;

/**
 * Chooses a server for each load of what strangers read. A replica may be it if it has replayed the last write of this
 * process and a position of the primary that is young enough. See decision 0042.
 */
export class ReplicaSet implements Replicas {
  readonly members: readonly Replica[];
  /** Loads of strangers that the primary answered. */
  loadsOfPrimary = 0;
  readonly #primary: Primary;
  readonly #databases: Databases;
  readonly #searchMs: number;
  readonly #written = { position: 0, at: -Infinity };
  readonly #memory = { position: 0, at: -Infinity };
  /** Failures of the primary inside a load of a replica: the search memory reads the primary there. */
  readonly #failuresOfPrimary = new WeakSet<object>();
  /** When a commit told no position, or one that may be of another primary: a sample asked for later tells it. */
  #unsureAt: number | undefined;
  #readAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(databases: Databases, { urls, primary, onAway, ...options }: ReplicaSetOptions) {
    this.#databases = databases;
    this.#searchMs = options.searchTimeoutMs;
    this.#primary = new Primary({
      ...options,
      connection: primary,
      onAsk: () => this.#comparison(),
      // Looks on without readers too, until it is back.
      onAway: () => (onAway(), this.#noteReader()),
    });
    const faultOf = (look: Look) => this.#faultOf(look);
    this.members = urls.map((url) => new Replica({ ...options, url, faultOf }));
    for (const db of [databases.main, databases.jobs]) followCommits(db, (position) => this.#note(position));
    void this.#lookAtAll();
  }

  get isPrimaryAway(): boolean {
    return this.#primary.awaySince !== undefined;
  }

  /** For metrics. */
  figures() {
    const replicas = this.members.map((member) => ({
      server: member.name,
      loads: member.loads,
      usable: member.fault === undefined,
      lagSeconds: this.#lagSecondsOf(member),
    }));
    return [{ server: "primary", loads: this.loadsOfPrimary }, ...replicas];
  }

  #lagSecondsOf({ position, lookedAt }: Replica): number {
    const missing = this.#primary.samples.findLast((sample) => sample.position > position);
    return missing === undefined ? 0 : Math.max(0, lookedAt - missing.at) / 1_000;
  }

  async load<T>(work: Load<T>, { isShared } = { isShared: false }): Promise<T> {
    if (!isShared) this.#noteReader();
    let replica = (isShared ? undefined : this.#choose()) ?? (await this.#chooseWhileAway());
    for (let attempt = 1; ; attempt++) {
      const began = performance.now();
      try {
        return await this.#run(replica, work);
      } catch (error) {
        // A search that takes too long would take another server as long.
        const isTooLong =
          failureCode(error) === STATEMENT_TIMEOUT && performance.now() - began >= this.#searchMs;
        if (attempt === ATTEMPTS || isTooLong || !isOfServer(error)) throw error;
        const failed = this.#failuresOfPrimary.has(error as object) ? undefined : replica;
        const isFull = isWaitForPool(error);
        if (failed === undefined) await this.#lookAtAll();
        else if (!(error instanceof Behind || isFull)) failed.fail(error);
        // After a full pool another replica has one turn, and then the primary.
        const mayChoose = failed === undefined || (isFull && attempt === 1);
        replica = (mayChoose ? this.#choose(failed) : undefined) ?? (await this.#chooseWhileAway());
        if (replica === undefined && failed === undefined && (isFull || this.isPrimaryAway)) throw error;
      }
    }
  }

  async #run<T>(replica: Replica | undefined, work: Load<T>): Promise<T> {
    if (replica === undefined) {
      this.loadsOfPrimary += 1;
      return work(this.#databases);
    }
    replica.begin();
    try {
      return await work({ ...this.#databases, replica: replica.reads.db, slow: replica.slow.db });
    } finally {
      replica.end();
    }
  }

  /** The one with the fewest loads of those that are usable and current enough. */
  #choose(except?: Replica): Replica | undefined {
    const now = performance.now();
    const usable = this.members.filter((member) => member !== except && member.isUsable(now));
    const required = this.#required(now, usable);
    const able = usable.filter(({ position }) => position >= required);
    return able.toSorted((a, b) => a.running - b.running || a.begunAt - b.begunAt)[0];
  }

  #required(now: number, usable: readonly Replica[]): number {
    const { awaySince, samples } = this.#primary;
    if (awaySince !== undefined) {
      const own = Math.max(this.#written.position, this.#memory.position);
      // What no replica has received is lost until the primary is back.
      const known = Math.max(...usable.map(({ position }) => position));
      return now - awaySince < REPLAY_MS ? own : Math.min(own, known);
    }
    const oldest = samples.filter(({ at }) => now - at <= LAG_MS).at(-1);
    const isKnown = oldest !== undefined && this.#unsureAt === undefined;
    return isKnown ? Math.max(this.#written.position, oldest.position) : Infinity;
  }

  /** Undefined while the primary is there, and where no replica has its state. */
  async #chooseWhileAway(): Promise<Replica | undefined> {
    const end = performance.now() + AWAY_PATIENCE_MS;
    while (this.isPrimaryAway) {
      const now = performance.now();
      const replica = this.#choose();
      const isHopeless = this.members.every(({ lookedAt }) => now - lookedAt > AWAY_PATIENCE_MS);
      if (replica !== undefined || isHopeless || now > end) return replica;
      await Promise.all([...this.members.map((member) => member.look()), sleep(LOOK_EVERY_MS / 2)]);
    }
    return undefined;
  }

  async readPrimary(read: () => Promise<void>, { isLoaded }: { isLoaded: boolean }): Promise<void> {
    if (isLoaded && this.isPrimaryAway) return;
    try {
      await read();
      const position = await positionOn(this.#databases.slow);
      Object.assign(this.#memory, { position: this.#primary.withoutHead(position), at: performance.now() });
    } catch (error) {
      await this.#primary.look();
      if (isLoaded && this.isPrimaryAway) return;
      this.#failuresOfPrimary.add(error as object);
      throw error;
    }
  }

  async meetMemory(reader: Db): Promise<void> {
    const replica = this.members.find(({ reads, slow }) => [reads.db, slow.db].includes(reader));
    const isBehind = () => replica !== undefined && replica.position < this.#memory.position;
    if (!isBehind() || this.isPrimaryAway) return;
    await replica?.look();
    if (isBehind()) throw new Behind("the replica lacks what is in memory");
  }

  #note(position: number | undefined): void {
    const at = performance.now();
    if (position === undefined || this.isPrimaryAway) this.#unsureAt = at;
    if (position === undefined) return;
    this.#primary.noteAnswer();
    this.#raise(this.#primary.withoutHead(position), at);
  }

  #raise(position: number, at: number): void {
    Object.assign(this.#written, { position: Math.max(this.#written.position, position), at });
  }

  /** Of a sample that is asked for now with what is known now. */
  #comparison(): (sample: Look) => void {
    const known = this.members.map((member) => [member, member.position] as const);
    return ({ position, at }) => {
      if (this.#unsureAt !== undefined && this.#unsureAt <= at) {
        this.#raise(position, at);
        this.#unsureAt = undefined;
      }
      // After a failover some of what was known may be lost.
      for (const mark of [this.#written, this.#memory])
        if (mark.at <= at) mark.position = Math.min(mark.position, position);
      for (const [member, replayed] of known) if (replayed > position) member.refuse(AHEAD);
    };
  }

  #faultOf({ isStandby, system }: Look): string | undefined {
    if (this.#primary.system === undefined) return "the primary has not answered yet";
    return isStandby && system === this.#primary.system ? undefined : STRANGER;
  }

  async #lookAtAll(): Promise<void> {
    await this.#primary.look();
    await Promise.all(this.members.map((member) => member.look()));
  }

  /** Looks at the servers from the first read of a stranger until a while after the last. */
  #noteReader(): void {
    this.#readAt = performance.now();
    if (this.#timer !== undefined) return;
    let ticks = 0;
    const tick = () => {
      const now = performance.now();
      if (now - this.#readAt > REST_AFTER_MS && !this.isPrimaryAway) return this.#rest();
      for (const member of this.members) member.lookAgain(now);
      if (ticks++ % LOOKS_PER_SAMPLE === 0) void this.#primary.look();
    };
    this.#timer = setInterval(tick, LOOK_EVERY_MS).unref();
    tick();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async close(): Promise<void> {
    this.#rest();
    await Promise.all([...this.members, this.#primary].map((server) => server.close()));
  }
}

const STRANGER = "it is no standby of the database that DATABASE_URL names";
const AHEAD = "it is ahead of the primary, so it follows another one";
