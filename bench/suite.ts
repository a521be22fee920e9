import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./entry.ts";
import type { Figure } from "./figures.ts";
import { type Corpus, openCorpus } from "./lines/corpus.ts";
import type { Line } from "./lines/line.ts";
import { invalidity, type Measured } from "./lines/verdicts.ts";
import { compare, type Pace, type Server } from "./measure/compare.ts";
import { type CorpusDir, prepareCorpus, SEED } from "./measure/corpus-dir.ts";
import type { Imported } from "./measure/import-rate.ts";
import type { Generator } from "./measure/generator.ts";
import { VoidRun } from "./measure/load.ts";
import { checkServer, cpuOf, memoryOfTree } from "./measure/processes.ts";
import { commandCpu, serve } from "./measure/program.ts";
import { coldStart, medianOf, warmStart } from "./measure/start-up.ts";
import { round } from "./report.ts";

/** The parts of a run besides its lines. */
export const PARTS = ["start", "memory"] as const;
export type Part = (typeof PARTS)[number];

/** How long everything is measured. */
export interface Effort {
  pace: Pace;
  starts: number;
  /** After the start of the server, before its memory and its idling are measured. */
  settleSeconds: number;
  idleSeconds: number;
  /** After the last line, before memory is measured again. */
  laterSeconds: number;
}

export const FULL: Effort = {
  pace: { connections: 32, warmUpSeconds: 3, rounds: 3, secondsPerRound: 3, secondsAlone: 2 },
  starts: 5,
  settleSeconds: 15,
  idleSeconds: 30,
  laterSeconds: 15,
};

export const QUICK: Effort = {
  pace: { connections: 32, warmUpSeconds: 1, rounds: 1, secondsPerRound: 1, secondsAlone: 1 },
  starts: 1,
  settleSeconds: 1,
  idleSeconds: 2,
  laterSeconds: 2,
};

export interface Bench {
  lines: readonly Line[];
  parts: readonly Part[];
  articles: number;
  keep: string | undefined;
  generator: Generator;
  effort: Effort;
}

export interface Results {
  measured: Measured[];
  figures: Figure[];
}

/** Measures a server of its own, on a data directory that is gone afterwards unless it is kept. */
export async function measureAll(bench: Bench): Promise<Results> {
  const { parts, articles, keep, effort } = bench;
  const figures: Figure[] = [];
  if (parts.includes("start")) figures.push(...(await measureFirstStarts(effort)));
  const dataDir = await prepareCorpus(articles, keep, (imported) => figures.push(...importFigures(imported)));
  try {
    if (parts.includes("start")) figures.push(await measureWarmStart(dataDir, effort));
    const needsServer = bench.lines.length > 0 || parts.includes("memory");
    const served = needsServer ? await measureServer(dataDir, bench) : { measured: [], figures: [] };
    return { measured: served.measured, figures: [...figures, ...served.figures] };
  } finally {
    await dataDir.leave();
  }
}

/** Measures a server that runs already. */
export async function measureRunning(server: Server, bench: Bench): Promise<Results> {
  checkServer(server.pid);
  const measured = await measureLines(server, openCorpus({ articles: bench.articles, seed: SEED }), bench);
  return { measured, figures: [] };
}

async function measureServer(dataDir: CorpusDir, bench: Bench): Promise<Results> {
  const { parts, articles, keep, effort } = bench;
  const file = keep === undefined ? undefined : `${dataDir.path}.words.json`;
  const corpus = openCorpus({ articles, seed: dataDir.seed, file });
  const { stop, ...server } = await serve(dataDir.path);
  try {
    checkServer(server.pid);
    const idle = parts.includes("memory") ? await measureIdling(server.pid, effort) : [];
    const measured = await measureLines(server, corpus, bench);
    const after = parts.includes("memory") ? await measureMemoryAfter(server.pid, effort) : [];
    return { measured, figures: [...idle, ...after] };
  } finally {
    await stop();
  }
}

async function measureLines(
  server: Server,
  corpus: Corpus,
  { lines, generator, effort: { pace } }: Bench,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const line of lines) {
    say(line.name);
    const requests = await line.requests({ baseUrl: server.baseUrl, corpus });
    const bareHeaders = line.comparesPlain === true ? {} : (requests.headers ?? {});
    try {
      const comparison = await compare(server, {
        generator,
        requests,
        bareHeaders,
        jsonPage: line.jsonPage,
        pace,
      });
      const invalid = invalidity(line, comparison, requests.paths.length);
      measured.push({ line, comparison, ...(invalid === undefined ? {} : { invalid }) });
    } catch (error) {
      if (!(error instanceof VoidRun)) throw error;
      measured.push({ line, invalid: error.message });
    }
  }
  return measured;
}

const VERSION_CPU_S = 0.3;
const WARM_START_MS = 1_000;

async function measureFirstStarts({ starts }: Effort): Promise<Figure[]> {
  say("Starting on empty data directories");
  const version = await medianOf(starts, () => commandCpu(["--version"]));
  const cold = await coldStart(starts);
  return [
    { name: "CPU of `inkstone --version`", value: version, unit: "s", atMost: VERSION_CPU_S },
    { name: "Start on an empty data directory until ready", value: cold, unit: "ms" },
  ];
}

async function measureWarmStart({ path, articles }: CorpusDir, { starts }: Effort): Promise<Figure> {
  say(`Starting with ${round(articles)} articles`);
  const name = `Start with ${round(articles)} articles until ready`;
  return { name, value: await warmStart(path, starts), unit: "ms", atMost: WARM_START_MS };
}

function importFigures({ articlesPerSecond, memory }: Imported): Figure[] {
  return [
    { name: "Import, the whole command", value: articlesPerSecond, unit: "articles/s" },
    { name: "Memory (PSS) of the import, the most", value: memory, unit: "MiB" },
  ];
}

const IDLE_MIB = 100;
const AFTER_LINES_MIB = 225;
const LATER_MIB = 175;
const IDLE_CPU_PERCENT = 1;

async function measureIdling(pid: number, { settleSeconds, idleSeconds }: Effort): Promise<Figure[]> {
  say("Watching the idle server");
  await sleep(settleSeconds * 1_000);
  const memory = memoryOfTree(pid);
  const before = cpuOf(pid);
  await sleep(idleSeconds * 1_000);
  const after = cpuOf(pid);
  const seconds = after.program - before.program + (after.database - before.database);
  const percent = (seconds / idleSeconds) * 100;
  return [
    { name: "Memory (PSS), idle", value: memory, unit: "MiB", atMost: IDLE_MIB },
    { name: "CPU, idle, of one core", value: percent, unit: "%", atMost: IDLE_CPU_PERCENT },
  ];
}

async function measureMemoryAfter(pid: number, { laterSeconds }: Effort): Promise<Figure[]> {
  const used = memoryOfTree(pid);
  await sleep(laterSeconds * 1_000);
  const later = memoryOfTree(pid);
  return [
    { name: "Memory (PSS) after all lines", value: used, unit: "MiB", atMost: AFTER_LINES_MIB },
    { name: `Memory (PSS) ${laterSeconds} s later`, value: later, unit: "MiB", atMost: LATER_MIB },
  ];
}
