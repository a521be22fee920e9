import { setTimeout as sleep } from "node:timers/promises";
import { type Percentiles, percentiles } from "../measure/percentiles.ts";
import { cpuOf } from "../measure/processes.ts";
import type { Site } from "./site.ts";

/** The processor time and the write-ahead log of each write. */
export interface Cost extends Rate {
  /** Milliseconds of processor time of the server and its PostgreSQL. */
  cpu: number;
  /** Kilobytes of the write-ahead log. */
  wal: number;
}

export interface Round extends Times {
  cpuMs: number;
  walKb: number;
}

/** Measures writes, and the work that they leave to the server. */
export async function measure(site: Site, work: () => Promise<Times>): Promise<Round> {
  const before = await readMeters(site);
  const times = await work();
  await settle(site);
  const after = await readMeters(site);
  return { ...times, cpuMs: after.cpuMs - before.cpuMs, walKb: after.walKb - before.walKb };
}

export function costOf(rounds: readonly Round[]): Cost {
  const sum = (figure: (round: Round) => number) => rounds.reduce((all, round) => all + figure(round), 0);
  const writes = sum(({ milliseconds }) => milliseconds.length);
  return {
    ...rateOf(rounds),
    cpu: sum(({ cpuMs }) => cpuMs) / writes,
    wal: sum(({ walKb }) => walKb) / writes,
  };
}

async function readMeters({ serving, database: client }: Site) {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  const { program, database } = cpuOf(serving.pid);
  return { cpuMs: (program + database) * 1_000, walKb: Number(rows[0]?.bytes) / 1_000 };
}

/** Longer than the sweeps of the text indexes pause. */
const SETTLE_MS = 1_000;
const PATIENCE_MS = 30_000;

/** Waits for the work of the outbox, the sweeps and the vocabulary. */
export async function settle(site: Site): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  const isBusy = async () => (await countTasks(site)) > 0 || (await hasChangedWords(site));
  while ((await isBusy()) && performance.now() < end) await sleep(100);
  await sleep(SETTLE_MS);
}

async function hasChangedWords({ database }: Site): Promise<boolean> {
  const { rowCount } = await database.query("select from search_word_changes limit 1");
  return rowCount !== 0;
}

/** The tasks that wait for the server. */
async function countTasks({ database }: Site): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::int as count from outbox where due_at <= now()",
  );
  return rows[0]?.count ?? 0;
}

/** How fast something was done. */
export interface Rate extends Percentiles {
  perSecond: number;
}

/** The time of each run, and of all of them. */
export interface Times {
  milliseconds: number[];
  seconds: number;
}

interface Options {
  /** So many at once. */
  places: number;
  seconds: number;
  /** In all places together, at an even pace; as fast as possible when left out. */
  perSecond?: number;
}

/** Repeats `work` and times each run. */
export async function repeat(options: Options, work: (place: number) => Promise<void>): Promise<Times> {
  const { places, seconds, perSecond = Infinity } = options;
  const milliseconds: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: places }, async (_, place) => {
      for (let turn = place; ; turn += places) {
        const due = startedAt + (turn * 1_000) / perSecond;
        if (Math.max(due, performance.now()) >= end) break;
        if (due > performance.now()) await sleep(due - performance.now());
        const before = performance.now();
        await work(place);
        milliseconds.push(performance.now() - before);
      }
    }),
  );
  // The places that wait for their next turn end early.
  const taken = Number.isFinite(perSecond) ? Math.max(performance.now(), end) : performance.now();
  return { milliseconds, seconds: (taken - startedAt) / 1_000 };
}

/** The rate over all rounds. */
export function rateOf(rounds: readonly Times[]): Rate {
  const milliseconds = rounds.flatMap((round) => round.milliseconds);
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  return { perSecond: milliseconds.length / seconds, ...percentiles(milliseconds) };
}
