import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { Connection, Databases, Db, Load, Replicas } from "./connect.ts";
import { connect, LAG_MS } from "./connect.ts";
import {
  failureCode,
  isUnavailable,
  isWaitForPool,
  READ_ONLY,
  reasonOf,
  STATEMENT_TIMEOUT,
} from "./failures.ts";
import { type Look, lookAt, once, Replica, type ReplicaOptions } from "./replica.ts";
import type { DB as Tables } from "./tables.ts";
import { finishedWrites, lastCommit } from "./transaction.ts";

const LOOK_EVERY_MS = 100;
/** Looks follow a write sooner. */
const LOOK_AFTER_WRITE_MS = 10;
/** A minute of them, by which lag is measured. */
const MAX_SAMPLES = 600;
/** The primary counts as away when it has been silent for this long on two connections. */
const PRIMARY_PATIENCE_MS = 1_000;
/** Replicas that have lost their primary replay what they have received in this time. */
const REPLAY_MS = 1_000;
/** A load waits for a replica that has answered within this time. */
const AWAY_PATIENCE_MS = 2 * REPLAY_MS;
const ATTEMPTS = 3;

export interface ReplicaSetOptions extends Omit<ReplicaOptions, "url" | "primary"> {
  urls: readonly string[];
  primary: pg.PoolConfig;
  /** The primary is away, or has become a standby: ends the other connections to it. */
  onAway: () => void;
}

/** The primary at a moment. */
interface Sample extends Look {
  writes: number;
}

const CONFLICT_WITH_RECOVERY = "40001";

const isOfServer = (error: unknown) => isUnavailable(error) || failureCode(error) === CONFLICT_WITH_RECOVERY;

/** Chooses a server for each load: one that has this process's last write. See decision 0065. */
export class ReplicaSet implements Replicas {
  readonly members: readonly Replica[];
  /** Sends each statement to the primary or, while that is away, to a replica. */
  readonly shared: Db;
  loadsOfPrimary = 0;
  readonly #samples: Sample[] = [];
  readonly #primary: Connection;
  readonly #databases: Databases;
  readonly #options: ReplicaSetOptions;
  // The first attempt may meet a connection that was lost.
  readonly #look = once(() =>
    this.#sample()
      .catch(() => this.#sample())
      .catch((error: unknown) => this.#lose(error)),
  );
  #lookedAt = -Infinity;
  #awaySince = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(databases: Databases, options: ReplicaSetOptions) {
    this.#options = options;
    this.shared = this.#eachStatement(databases.main);
    this.#databases = { ...databases, shared: this.shared };
    this.#primary = connect({
      connection: { connectionTimeoutMillis: PRIMARY_PATIENCE_MS, ...options.primary },
      poolSize: 1,
      patienceMs: PRIMARY_PATIENCE_MS,
    });
    const primary = () => this.#samples[0];
    this.members = options.urls.map((url) => new Replica({ ...options, url, primary }));
    void this.#look().then(() => this.#lookAtAll());
  }

  /** A commit proves that the primary is there. */
  get isPrimaryAway(): boolean {
    const { main, jobs } = this.#databases;
    return this.#awaySince > Math.max(lastCommit(main), lastCommit(jobs));
  }

  figures() {
    const replicas = this.members.map(({ name: server, loads, fault, position, lookedAt }) => {
      const missing = this.#samples.findLast((sample) => sample.position > position);
      const lagSeconds = missing === undefined ? 0 : Math.max(0, lookedAt - missing.at) / 1_000;
      return { server, loads, usable: fault === undefined, lagSeconds };
    });
    return [{ server: "primary", loads: this.loadsOfPrimary }, ...replicas];
  }

  load<T>(work: Load<T>): Promise<T> {
    return this.#repeat(this.#choose(), (server) => {
      if (server !== undefined)
        return server.run(() => work({ ...this.#databases, replica: server.reads.db, slow: server.slow.db }));
      this.loadsOfPrimary += 1;
      return work(this.#databases);
    });
  }

  #eachStatement(main: Db): Db {
    const client: PostgresPoolClient = {
      query: (text: string, values: readonly unknown[]) =>
        this.#repeat(undefined, async (server) =>
          (server?.reads.db ?? main).executeQuery(CompiledQuery.raw(text, [...values])),
        ),
      release() {},
    } as PostgresPoolClient;
    const pool = { connect: async () => client, end: async () => {} };
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  }

  async #repeat<T>(
    replica: Replica | undefined,
    work: (server: Replica | undefined) => Promise<T>,
  ): Promise<T> {
    this.#lookAgain();
    let server = replica ?? (await this.#chooseWhileAway());
    for (let attempt = 1; ; attempt++) {
      const began = performance.now();
      try {
        return await work(server);
      } catch (error) {
        // A search that takes too long would take another server as long.
        const isTooLong =
          failureCode(error) === STATEMENT_TIMEOUT &&
          performance.now() - began >= this.#options.searchTimeoutMs;
        if (attempt === ATTEMPTS || isTooLong || !isOfServer(error)) throw error;
        const isFull = isWaitForPool(error);
        if (server === undefined) await this.#look();
        else if (!isFull) server.fail(error);
        const next = await this.#chooseWhileAway();
        if ((server ?? next) === undefined && (isFull || this.isPrimaryAway)) throw error;
        server = next;
      }
    }
  }

  /** The one with the fewest loads of those that are usable and current enough. */
  #choose(): Replica | undefined {
    const now = performance.now();
    const usable = this.members.filter((member) => member.isUsable(now));
    const required = this.#required(now, usable);
    const able = usable.filter(({ position, floor }) => position >= Math.max(required, floor));
    return able.toSorted((a, b) => a.running - b.running || a.begunAt - b.begunAt)[0];
  }

  #required(now: number, usable: readonly Replica[]): number {
    const isAway = this.isPrimaryAway;
    // What no replica has received is lost until the primary is back.
    if (isAway && now - this.#awaySince >= REPLAY_MS)
      return Math.max(...usable.map(({ position }) => position));
    const writes = this.#writes();
    const known = this.#samples.filter((one) => (isAway || now - one.at <= LAG_MS) && one.writes === writes);
    return known.at(isAway ? 0 : -1)?.position ?? Infinity;
  }

  #writes(): number {
    const { main, jobs } = this.#databases;
    return finishedWrites(main) + finishedWrites(jobs);
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

  /** Looks while there are reads; a timer does while the primary is away. */
  #lookAgain(): void {
    const now = performance.now();
    const isUnsure = this.#samples[0]?.writes !== this.#writes();
    const isEarly = now - this.#lookedAt < (isUnsure ? LOOK_AFTER_WRITE_MS : LOOK_EVERY_MS);
    if (isEarly || this.#timer !== undefined) return;
    this.#lookedAt = now;
    void this.#lookAtAll();
  }

  async #lookAtAll(): Promise<void> {
    await Promise.all([this.#look(), ...this.members.map((member) => member.look())]);
  }

  async #sample(): Promise<void> {
    const writes = this.#writes();
    const known = this.members.map((member) => [member, member.position] as const);
    const look = await lookAt(this.#primary.db);
    if (look.isStandby) {
      this.#primary.breakAll();
      throw Object.assign(new Error("the database is a standby now"), { code: READ_ONLY });
    }
    this.#samples.unshift({ ...look, writes });
    this.#samples.length = Math.min(this.#samples.length, MAX_SAMPLES);
    for (const [member, replayed] of known) member.compare(replayed, look.position);
    if (this.#timer === undefined) return;
    this.#rest();
    this.#options.log("info", "The primary is back.");
  }

  #lose(error: unknown): void {
    // A primary without room for a connection is there.
    const isAway = isUnavailable(error) && !failureCode(error).startsWith("53");
    if (this.isPrimaryAway || !isAway || this.#primary.pool.ending) return;
    this.#awaySince = performance.now();
    // They would hang as it does, or read from a standby.
    this.#options.onAway();
    this.#timer ??= setInterval(() => void this.#lookAtAll(), LOOK_EVERY_MS).unref();
    const told = `The primary is away (${reasonOf(error)}): replicas answer strangers until it is back.`;
    this.#options.log("warn", told);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#awaySince = -Infinity;
  }

  async close(): Promise<void> {
    this.#rest();
    await Promise.all([...this.members.map((member) => member.close()), this.#primary.pool.end()]);
  }
}
