import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../entry.ts";
import { killTree, memoryOfTree } from "../measure/processes.ts";
import { serve } from "../measure/program.ts";
import { newDataDir } from "../measure/start-up.ts";
import { type Cost, costOf, countTasks, measure } from "./cost.ts";
import { repeat } from "./pace.ts";
import { create, openSite, type Site } from "./site.ts";

/** One minute of creating at full rate. */
export interface Minute extends Cost {
  /** Of the server with its PostgreSQL at its end, in MiB. */
  memory: number;
  /** Tasks that wait at its end. */
  tasks: number;
  checkpoints: number;
  vacuums: number;
}

export interface LongResults {
  minutes: Minute[];
  settings: string;
  checkpoints: { timed: number; requested: number };
  /** Megabytes of write-ahead log since the last checkpoint when everything was killed. */
  replayed: number;
  /** Milliseconds of the next start until it answers. */
  start: number;
}

interface LongBench {
  minutes: number;
  connections: number;
}

/** Creates at full rate, kills everything at the worst moment and starts again. */
export async function measureLong({ minutes, connections }: LongBench): Promise<LongResults> {
  const dataDir = newDataDir();
  try {
    const site = await openSite(dataDir, connections);
    try {
      const watch = watchDistance(site);
      const taken: Minute[] = [];
      for (let minute = 1; minute <= minutes; minute += 1) {
        say(`Minute ${minute} of ${minutes}`);
        taken.push(await measureMinute(site));
      }
      const settings = await readSettings(site);
      const { timed, requested } = await readCounts(site);
      const replayed = await killAtWorst(site, watch);
      const start = await startAgain(dataDir);
      return { minutes: taken, settings, checkpoints: { timed, requested }, replayed, start };
    } finally {
      await site.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureMinute(site: Site): Promise<Minute> {
  const before = await readCounts(site);
  const post = async (place: number) => void (await create(site, place));
  const times = () => repeat({ places: site.connections, seconds: 60 }, post);
  const cost = costOf([await measure(site, times, { settles: false })]);
  const after = await readCounts(site);
  return {
    ...cost,
    memory: memoryOfTree(site.serving.pid),
    tasks: await countTasks(site),
    checkpoints: after.done - before.done,
    vacuums: after.vacuums - before.vacuums,
  };
}

interface Counts {
  timed: number;
  requested: number;
  done: number;
  vacuums: number;
}

async function readCounts({ pool }: Site): Promise<Counts> {
  const { rows } = await pool.query<Counts>(`
    select num_timed::int as timed, num_requested::int as requested, num_done::int as done,
      (select sum(autovacuum_count)::int from pg_stat_all_tables) as vacuums
    from pg_stat_checkpointer`);
  return rows[0] as Counts;
}

async function readSettings({ pool }: Site): Promise<string> {
  const { rows } = await pool.query<{ text: string }>(`
    select string_agg(name || ' = ' || current_setting(name), ', ' order by name) as text from pg_settings
    where name in ('max_wal_size', 'checkpoint_timeout', 'checkpoint_completion_target')`);
  return rows[0]?.text ?? "";
}

const WATCH_MS = 100;
const PATIENCE_MS = 300_000;

/** Follows how much would have to be replayed after a crash: it grows until a checkpoint ends. */
function watchDistance({ pool }: Site) {
  const seen = { most: 0, now: 0 };
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const { rows } = await pool.query<{ bytes: string }>(
        "select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()",
      );
      seen.now = Number(rows[0]?.bytes);
      seen.most = Math.max(seen.most, seen.now);
      await sleep(WATCH_MS);
    }
  })();
  // `stop` throws a failure.
  watching.catch(() => {});
  return {
    seen,
    async stop(): Promise<void> {
      over.abort();
      await watching;
    },
  };
}

/** Goes on creating until a start would have the most to replay; gives the megabytes. */
async function killAtWorst(site: Site, { seen, stop }: ReturnType<typeof watchDistance>): Promise<number> {
  say("Waiting for the end of a checkpoint, and killing everything");
  let isKilled = false;
  const post = async (place: number) => {
    await create(site, place).catch((error: unknown) => {
      if (!isKilled) throw error;
    });
  };
  const options = { places: site.connections, seconds: Infinity, isOver: () => isKilled };
  const load = repeat(options, post);
  // Checkpoints don't end at the same distance: each one that doesn't reach the farthest lowers what is waited for.
  const { most } = seen;
  const startedAt = performance.now();
  const wanted = () => most * (1 - (performance.now() - startedAt) / PATIENCE_MS);
  await Promise.race([load, sleep(WATCH_MS)]);
  while (seen.now < wanted()) await Promise.race([load, sleep(WATCH_MS)]);
  await stop();
  isKilled = true;
  killTree(site.serving.pid);
  await load;
  return seen.now / 1e6;
}

async function startAgain(dataDir: string): Promise<number> {
  const { readyMilliseconds, stop } = await serve(dataDir);
  await stop();
  return readyMilliseconds;
}
