import { setTimeout as sleep } from "node:timers/promises";
import { Logger, run } from "graphile-worker";
import type pg from "pg";
import type { Db } from "../db/connect.ts";
import { hasSessions } from "../db/pooler.ts";
import { currentSnapshot } from "../db/transaction.ts";
import { unavailable } from "../errors.ts";
import { unlessHeld } from "./outbound.ts";
import { detectWrites, type Due, poll, type PollOptions, untilDue } from "./poll.ts";
import type { JobHandlers } from "./queue.ts";

/** A job by the clock, once for all processes. The next run makes up for a missed one. */
interface Timed {
  at: string;
  work: () => Promise<unknown>;
  /** A server that was down makes up for runs of this time. */
  fill?: string;
}

/** Work that each process repeats: tables say what is due. */
export interface Repeated extends Omit<PollOptions, "onFailure" | "idleMs"> {
  /** The pause while nothing is written, which ends when the next row is due. */
  idle?: number | Due;
  /** Leaves the site, which a restored one doesn't by itself. */
  isOutbound?: boolean;
}

export interface Jobs {
  queued?: Partial<JobHandlers>;
  timed?: Record<string, Timed>;
  repeated?: Record<string, Repeated>;
}

export type Log = (level: "debug" | "warn" | "error", line: string) => void;

interface Options {
  pool: pg.Pool;
  db: Db;
  now: () => Date;
  hasRoom: () => boolean;
  onFailure: (error: unknown) => void;
  log: Log;
}

/** The delay of work that another process leaves. */
const DETECTION_MS = 500;

/** A failed job is retried, so it is only a warning. */
const SEVERITY: Record<string, "warn"> = { error: "warn" };

export async function startJobs(nouns: readonly Jobs[], options: Options) {
  const runner = await startQueue(nouns, options);
  // A failing runner must not end the process.
  runner.promise.catch(options.onFailure);
  const pollers = startPollers(nouns, options);
  return {
    async stop() {
      await Promise.all(pollers.map((each) => each.stop()));
      await runner.stop();
      // graphile-worker doesn't wait until its last jobs are deleted, and a pool that ends serves none that wait.
      while (options.pool.waitingCount > 0) await sleep(10);
    },
  };
}

async function startQueue(nouns: readonly Jobs[], { pool, log, hasRoom }: Options) {
  const timed = nouns.flatMap((noun) => Object.entries(noun.timed ?? {}));
  const queued = nouns.flatMap((noun) => Object.entries(noun.queued ?? {}));
  const works = [...queued, ...timed.map(([name, { work }]) => [name, work] as const)];
  return run({
    pgPool: pool,
    concurrency: 2,
    noHandleSignals: true,
    // Finds jobs that the clock makes due, and behind a pooler new ones too, whose notifications don't pass it.
    pollInterval: (await hasSessions(pool)) ? 10_000 : 1_500,
    taskList: Object.fromEntries(
      works.map(([name, work]) => [
        name,
        async (payload) => {
          if (!hasRoom()) throw unavailable();
          await work(payload as never);
        },
      ]),
    ),
    crontab: timed
      .map(([name, { at, fill }]) => `${at} ${name} ?max=3${fill === undefined ? "" : `&fill=${fill}`}`)
      .join("\n"),
    logger: new Logger(() => (level, message) => log(SEVERITY[level] ?? "debug", message)),
  });
}

function startPollers(nouns: readonly Jobs[], { db, now, hasRoom, onFailure }: Options) {
  const pollers = nouns
    .flatMap((noun) => Object.values(noun.repeated ?? {}))
    .map(({ idle, isOutbound, work, ...job }) => {
      const allowed = isOutbound ? unlessHeld(db, work) : work;
      return poll({
        ...job,
        idleMs: typeof idle === "object" ? untilDue({ db, now }, idle) : idle,
        work: async (signal) => hasRoom() && allowed(signal),
        onFailure,
      });
    });
  // One statement for all pollers. They start again when a full disk has room.
  const detect = detectWrites(
    async () => `${await currentSnapshot(db)} ${hasRoom()}`,
    () => pollers.forEach((each) => each.noteWrite()),
  );
  return [...pollers, poll({ work: detect, onFailure, pauseMs: DETECTION_MS })];
}
