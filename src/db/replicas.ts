import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Databases, type Db, LAG_MS, type Load, type Replicas } from "./connect.ts";
import { failureCode, isUnavailable, isWaitForPool } from "./failures.ts";
import { type Look, positionOf } from "./positions.ts";
import { Primary } from "./primary.ts";
import { type Log, Replica } from "./replica.ts";
import { followCommits } from "./transaction.ts";

const LOOK_EVERY_MS = 100;
/** The primary is asked less often: all processes ask it. */
const LOOKS_PER_SAMPLE = 2;
/** Nothing is asked while no stranger reads. */
const REST_AFTER_MS = 1_000;
/** Without their primary, replicas replay what they have received. */
const REPLAY_MS = 1_000;
const ATTEMPTS = 3;

export interface ReplicaOptions {
  urls: readonly string[];
  primary: pg.PoolConfig;
  poolSize: number;
  searchTimeoutMs: number;
  isPreparing: boolean;
  log: Log;
  /** The primary is away, or has become a standby: ends the other connections to it. */
  onAway: () => void;
}

/** A position that this process has written or read, and when. */
interface Mark {
  position: number;
  at: number;
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
  readonly #written: Mark = { position: 0, at: -Infinity };
  readonly #memory: Mark = { position: 0, at: -Infinity };
  /** When a commit got no answer that told its position. */
  #lostCommitAt: number | undefined;
  #readAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(databases: Databases, { urls, primary, log, onAway, ...options }: ReplicaOptions) {
    this.#databases = databases;
    const onSample = (sample: Look) => this.#compare(sample);
    // Without readers too, until it is back.
    const lookOn = () => this.#noteReader();
    this.#primary = new Primary({ connection: primary, log, onSample, onAway: () => (onAway(), lookOn()) });
    const faultOf = (look: Look) => this.#faultOf(look);
    this.members = urls.map((url) => new Replica({ ...options, url, log, faultOf }));
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
      try {
        return await this.#run(replica, work);
      } catch (error) {
        if (attempt === ATTEMPTS || !isOfServer(error)) throw error;
        const failed = replica;
        if (failed === undefined) await this.#lookAtAll();
        else if (!(error instanceof Behind || isWaitForPool(error))) failed.fail(error);
        replica = await this.#chooseWhileAway();
        if (replica === undefined && failed === undefined) throw error;
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
  #choose(): Replica | undefined {
    const now = performance.now();
    const usable = this.members.filter((member) => member.isUsable(now));
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
    const isKnown = oldest !== undefined && this.#lostCommitAt === undefined;
    return isKnown ? Math.max(this.#written.position, oldest.position) : Infinity;
  }

  /** Undefined while the primary is there, and where no replica has its state. */
  async #chooseWhileAway(): Promise<Replica | undefined> {
    const end = performance.now() + 2 * REPLAY_MS;
    while (this.isPrimaryAway) {
      const replica = this.#choose();
      const isHopeless = this.members.every(({ fault }) => fault !== undefined);
      if (replica !== undefined || isHopeless || performance.now() > end) return replica;
      await Promise.all([...this.members.map((member) => member.look()), sleep(LOOK_EVERY_MS / 2)]);
    }
    return undefined;
  }

  async readPrimary(read: () => Promise<void>, { isLoaded }: { isLoaded: boolean }): Promise<void> {
    if (isLoaded && this.isPrimaryAway) return;
    try {
      await read();
      const position = await positionOf(this.#databases.slow);
      Object.assign(this.#memory, { position: this.#primary.withoutHead(position), at: performance.now() });
    } catch (error) {
      if (!isLoaded || !isUnavailable(error)) throw error;
      await this.#primary.look();
      if (!this.isPrimaryAway) throw error;
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
    if (position === undefined) this.#lostCommitAt = at;
    else this.#raise(this.#primary.withoutHead(position), at);
  }

  #raise(position: number, at: number): void {
    Object.assign(this.#written, { position: Math.max(this.#written.position, position), at });
  }

  #compare({ position, at }: Look): void {
    if (this.#lostCommitAt !== undefined && this.#lostCommitAt <= at) {
      this.#raise(position, at);
      this.#lostCommitAt = undefined;
    }
    // After a failover some of what was known may be lost.
    for (const mark of [this.#written, this.#memory])
      if (mark.at <= at) mark.position = Math.min(mark.position, position);
    for (const member of this.members)
      if (member.lookedAt <= at && member.position > position) member.refuse(AHEAD);
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
