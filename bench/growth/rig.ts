import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { readPidFile } from "../../src/platform/db/embedded/processes.ts";
import type { Server as Postgres } from "../../test/own-postgres.ts";
import { startStandbys } from "../../test/standbys.ts";
import { corpus } from "../corpus.ts";
import { type Later, say } from "../kit.ts";
import { type Corpus, openCorpus } from "../lines/corpus.ts";
import type { Line } from "../lines/line.ts";
import { capture } from "../measure/http.ts";
import { newDataDir } from "../measure/data-dir.ts";
import { SEED } from "../measure/corpus-dir.ts";
import { type Cpu, cpuOf } from "../measure/processes.ts";
import { command, OURS, type Program, serve, type Server, type Serving } from "../measure/program.ts";
import { untilLoaded } from "../measure/start-up.ts";
import { type Pace, type Speed, takeTurns } from "../measure/turns.ts";
import { VoidRun } from "../measure/wrk.ts";
import { round } from "../report.ts";

export type Settings = Record<string, string>;

/** How long everything is measured. */
export interface Effort {
  pace: Pace;
  idleSeconds: number;
  /** Of upgrades. */
  rounds: number;
  /** Random writes and reads. */
  steps: number;
  /** Of the table that gets an index. */
  rows: number;
}

export const FULL: Effort = {
  // Until each process has compiled its code and holds the summaries that it is asked for.
  pace: { connections: 32, warmUpSeconds: 15, rounds: 4, secondsPerRound: 3, secondsAlone: 0 },
  idleSeconds: 60,
  rounds: 50,
  steps: 10_000,
  rows: 1_000_000,
};

export const QUICK: Effort = {
  pace: { connections: 16, warmUpSeconds: 1, rounds: 1, secondsPerRound: 1, secondsAlone: 0 },
  idleSeconds: 2,
  rounds: 2,
  steps: 300,
  rows: 20_000,
};

/** A primary with articles, two standbys, and servers of the program on them. */
export interface Rig extends Awaited<ReturnType<typeof startStandbys>> {
  effort: Effort;
  corpus: Corpus;
  /** Starts a server on the primary. */
  start(later: Later, settings?: Settings, program?: Program): Promise<Serving>;
  /** The same, and lets it read the articles into its memory and rest. */
  serve(later: Later, settings?: Settings): Promise<Serving>;
  /** Runs a command on the primary. */
  command(...args: string[]): Promise<string>;
  migrate(program: Program): Promise<unknown>;
  execute(statement: string): Promise<void>;
  replicaUrls: string;
}

const FIRST_SEARCHES = 8;

/** As a site of some size has them. */
const POSTGRES = { autovacuum: "on", shared_buffers: "256MB", jit: "off" };

export async function openRig(later: Later, effort: Effort, articles: number): Promise<Rig> {
  say(`Starting a primary with two standbys, and importing ${round(articles)} articles`);
  const servers = await startStandbys({ settings: POSTGRES });
  later(servers.stop);
  const { path, leave } = newDataDir();
  later(leave);
  const own = { DATABASE_URL: servers.primary.url };
  const run = async (...args: string[]) => (await command(path, args, OURS, own)).out.trim();
  const file = `${path}.ndjson`;
  later(() => rm(file, { force: true }));
  await pipeline(Readable.from(corpus({ articles, seed: SEED, until: new Date() })), createWriteStream(file));
  await run("import", file);
  for (const standby of servers.standbys) await standby.catchUp();
  const start: Rig["start"] = async (later, settings = {}, program = OURS) => {
    const dataDir = newDataDir();
    later(dataDir.leave);
    const serving = await serve(dataDir.path, { program, environment: { ...own, ...settings } });
    later(serving.stop);
    return serving;
  };
  return {
    ...servers,
    effort,
    corpus: openCorpus({ articles, seed: SEED }),
    replicaUrls: servers.standbys.map(({ url }) => url).join(","),
    command: run,
    migrate: (program) =>
      command(path, ["migrate"], program, { ...own, DATABASE_OWNER_URL: servers.primary.ownerUrl }),
    async execute(statement) {
      const client = new pg.Client({ connectionString: servers.primary.superuserUrl });
      await client.connect();
      await client.query(statement);
      await client.end();
    },
    start,
    async serve(later, settings) {
      const serving = await start(later, settings);
      // Over connections of their own, so that each worker reads the articles into its memory.
      for (let count = 0; count < FIRST_SEARCHES; count += 1)
        await capture(serving.baseUrl, `/api/articles/search?q=the&page=${count + 1}`);
      await untilLoaded(serving);
      return serving;
    },
  };
}

/** Longer than any answer is kept. */
const KEPT_SECONDS = 1;

/** Measures servers in turns with the same requests; the processor time is theirs and the primary's. */
export async function compare(rig: Rig, line: Line, servers: readonly Server[], pace: Partial<Pace> = {}) {
  const requests = await line.requests({ ...rig, baseUrl: servers[0]?.baseUrl ?? "" });
  const entries = servers.map((server) => ({
    server,
    requests,
    status: 200,
    meter: meterOf(server, [rig.primary]),
  }));
  const { speeds } = await takeTurns(entries, { ...rig.effort.pace, ...pace });
  const seconds = Math.min(...speeds.map(({ perSecond }) => requests.paths.length / perSecond));
  if (line.isFresh === true && seconds < KEPT_SECONDS)
    throw new VoidRun(`its addresses came round after ${seconds.toFixed(1)} s`);
  return speeds as [Speed, Speed];
}

/** The processor time of a server and of these PostgreSQLs, which none but it uses meanwhile. */
export function meterOf({ pid }: Server, databases: readonly Postgres[]): () => Cpu {
  return () => ({
    program: cpuOf(pid).program,
    database: databases.reduce(
      (sum, { cluster }) => sum + cpuOf(readPidFile(cluster)?.pid ?? NaN).database,
      0,
    ),
  });
}
