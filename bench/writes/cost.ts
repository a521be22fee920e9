import { setTimeout as sleep } from "node:timers/promises";
import { cpuOf } from "../measure/processes.ts";
import { type Rate, rateOf, type Times } from "./pace.ts";
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

/** Measures writes, and the work that they leave to the server when `settles` is set. */
export async function measure(
  site: Site,
  work: () => Promise<Times>,
  { settles }: { settles: boolean },
): Promise<Round> {
  const before = await readMeters(site);
  const times = await work();
  if (settles) await settle(site);
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

async function readMeters({ serving, pool }: Site) {
  const { rows } = await pool.query<{ bytes: string }>(
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

async function hasChangedWords({ pool }: Site): Promise<boolean> {
  const { rowCount } = await pool.query("select from search_word_changes limit 1");
  return rowCount !== 0;
}

/** The tasks that wait for the server. */
export async function countTasks({ pool }: Site): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from outbox where due_at <= now()",
  );
  return rows[0]?.count ?? 0;
}
