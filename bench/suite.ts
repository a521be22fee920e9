import { setTimeout as sleep } from "node:timers/promises";
import { closing, say } from "./kit.ts";
import { type Corpus, openCorpus } from "./lines/corpus.ts";
import { type Line, type Measured, invalidity } from "./lines/line.ts";
import { LARGE, withDefaultMemory } from "./lines.ts";
import { compare, startFts5 } from "./measure/compare.ts";
import { type CorpusDir, type Imported, prepareCorpus, SEED } from "./measure/corpus-dir.ts";
import { measureJoining } from "./measure/joining.ts";
import { checkServer, cpuOf, memoryOfTree } from "./measure/processes.ts";
import { commandCpu, serve, type Server } from "./measure/program.ts";
import { measureSigningIn } from "./measure/signing-in.ts";
import { coldStart, medianOf, untilLoaded, warmStart } from "./measure/start-up.ts";
import { measureTakingPart } from "./measure/taking-part.ts";
import { measureWriting } from "./measure/writing.ts";
import type { Pace } from "./measure/turns.ts";
import { VoidRun } from "./measure/wrk.ts";
import { type Figure, round } from "./report.ts";

/** The parts of a run besides its lines. */
export const PARTS = ["start", "memory", "signing in", "taking part", "writing", "joining"] as const;
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
  signingIn: { times: number; seconds: number };
  /** Acts of each kind in a round, and saves. */
  takingPart: number;
  /** Known addresses that sign up again. */
  joining: number;
}

export const FULL: Effort = {
  pace: { connections: 32, warmUpSeconds: 3, rounds: 3, secondsPerRound: 3, secondsAlone: 2 },
  starts: 5,
  settleSeconds: 15,
  idleSeconds: 30,
  laterSeconds: 15,
  signingIn: { times: 200, seconds: 15 },
  takingPart: 60,
  joining: 300,
};

export const QUICK: Effort = {
  pace: { connections: 32, warmUpSeconds: 1, rounds: 1, secondsPerRound: 1, secondsAlone: 1 },
  starts: 1,
  settleSeconds: 1,
  idleSeconds: 2,
  laterSeconds: 2,
  signingIn: { times: 10, seconds: 2 },
  takingPart: 10,
  joining: 10,
};

export interface Bench {
  lines: readonly Line[];
  parts: readonly Part[];
  articles: number;
  keep: string | undefined;
  effort: Effort;
}

export interface Results {
  measured: Measured[];
  figures: Figure[];
}

/** Measures a server of its own, on a data directory that is gone afterwards unless it is kept. */
export function measureAll(bench: Bench): Promise<Results> {
  const { parts, articles, keep, effort } = bench;
  return closing(async (later) => {
    const figures: Figure[] = [];
    if (parts.includes("start")) figures.push(...(await measureFirstStarts(effort)));
    const dataDir = await prepareCorpus({ articles, keep });
    later(dataDir.leave);
    if (keep === undefined) figures.push(...importFigures(dataDir.imported));
    if (parts.includes("start")) figures.push(await measureWarmStart(dataDir, effort));
    const file = keep === undefined ? undefined : `${dataDir.path}.queries.json`;
    const corpus = openCorpus({ articles, seed: dataDir.seed, file });
    const served = await measureServer(dataDir.path, corpus, bench);
    const measured = [...served.measured, ...(await measureDefaultMemory(dataDir.path, corpus, bench))];
    const joining = parts.includes("joining") ? await measureJoining(dataDir.path, effort.joining) : [];
    return { measured, figures: [...figures, ...served.figures, ...joining] };
  });
}

/** Measures a server that runs already. */
export async function measureRunning(server: Server, bench: Bench): Promise<Results> {
  checkServer(server.pid);
  const corpus = openCorpus({ articles: bench.articles, seed: SEED });
  return { measured: await measureLines(server, corpus, bench), figures: [] };
}

/** Enough for all articles of the larger size. */
export const memoryFor = (articles: number): Record<string, string> =>
  articles === LARGE ? { SEARCH_MEMORY_MEGABYTES: "320" } : {};

const LOADED = "First answer until the articles are in memory";
const LOADED_S = 4;

const ON_SERVER: ReadonlySet<Part> = new Set(["memory", "signing in", "taking part", "writing"]);

async function measureServer(dataDir: string, corpus: Corpus, bench: Bench): Promise<Results> {
  const { lines, parts, articles, effort } = bench;
  if (lines.length === 0 && !parts.some((part) => ON_SERVER.has(part))) return { measured: [], figures: [] };
  const { stop, ...server } = await serve(dataDir, { environment: memoryFor(articles) });
  try {
    checkServer(server.pid);
    const loaded = await untilLoaded(server);
    const idle = parts.includes("memory") ? await measureIdling(server.pid, effort) : [];
    const measured = await measureLines({ ...server, dataDir }, corpus, bench);
    const after = parts.includes("memory") ? await measureMemoryAfter(server.pid, effort) : [];
    const signingIn = parts.includes("signing in")
      ? await measureSigningIn({ ...server, dataDir, corpus }, effort.signingIn)
      : [];
    const takingPart = parts.includes("taking part")
      ? await measureTakingPart({ ...server, dataDir }, effort.takingPart)
      : [];
    const writing = parts.includes("writing")
      ? await measureWriting({ ...server, dataDir }, effort.takingPart)
      : [];
    const load = { name: LOADED, value: loaded, unit: "s", atMost: LOADED_S } as const;
    const figures = [...idle, ...after, ...signingIn, ...takingPart, ...writing];
    return { measured, figures: parts.includes("start") ? [load, ...figures] : figures };
  } finally {
    await stop();
  }
}

async function measureDefaultMemory(dataDir: string, corpus: Corpus, bench: Bench): Promise<Measured[]> {
  const lines = bench.articles === LARGE ? bench.lines.flatMap(withDefaultMemory) : [];
  if (lines.length === 0) return [];
  const { stop, ...server } = await serve(dataDir);
  try {
    await untilLoaded(server);
    return await measureLines({ ...server, dataDir }, corpus, { ...bench, lines });
  } finally {
    await stop();
  }
}

/** A server whose data directory is known takes commands too. */
interface Measurable extends Server {
  dataDir?: string;
}

function measureLines(server: Measurable, corpus: Corpus, { lines, effort }: Bench): Promise<Measured[]> {
  const { articles, seed } = corpus;
  return closing(async (later) => {
    const fts5 = lines.some((line) => line.fts5)
      ? await startFts5(later, { articles, seed, baseUrl: server.baseUrl })
      : undefined;
    const measured: Measured[] = [];
    for (const line of lines.filter(({ needsCommands }) => !needsCommands || server.dataDir !== undefined))
      measured.push(await measureLine(line, { server, fts5, corpus, pace: effort.pace }));
    return measured;
  });
}

interface Setting {
  server: Measurable;
  fts5: Server | undefined;
  corpus: Corpus;
  pace: Pace;
}

async function measureLine(line: Line, { server, fts5, corpus, pace }: Setting): Promise<Measured> {
  say(line.name);
  const requests = await line.requests({ ...server, corpus });
  const bareHeaders = line.comparesPlain === true ? {} : (requests.headers ?? {});
  const joined = { paths: requests.paths.map((path) => `${path}&join=${line.fts5}`) };
  try {
    const comparison = await compare(server, {
      requests,
      bareHeaders,
      jsonPage: line.jsonPage,
      fts5: fts5 && line.fts5 && { server: fts5, requests: joined },
      pace,
    });
    const invalid = invalidity(line, comparison, requests.paths.length);
    return { line, comparison, ...(invalid !== undefined && { invalid }) };
  } catch (error) {
    if (!(error instanceof VoidRun)) throw error;
    return { line, invalid: error.message };
  }
}

const VERSION_CPU_S = 0.3;
const WARM_START_MS = 1_000;

async function measureFirstStarts({ starts }: Effort): Promise<Figure[]> {
  say("Starting on empty data directories");
  const version = await medianOf(starts, () => commandCpu(["--version"]));
  const cold = await coldStart(starts);
  return [
    { name: "CPU of `inkstone --version`", value: version, unit: "s", atMost: VERSION_CPU_S },
    { name: "Start on an empty data directory until the first answer", value: cold, unit: "ms" },
  ];
}

async function measureWarmStart({ path, articles }: CorpusDir, { starts }: Effort): Promise<Figure> {
  say(`Starting with ${round(articles)} articles`);
  const name = `Start with ${round(articles)} articles until the first answer`;
  return { name, value: await warmStart(path, starts), unit: "ms", atMost: WARM_START_MS };
}

function importFigures({ articlesPerSecond, memory }: Imported): Figure[] {
  return [
    { name: "Import, the whole command", value: articlesPerSecond, unit: "articles/s" },
    { name: "Memory (PSS) of the import, the most", value: memory, unit: "MiB" },
  ];
}

const IDLE_MIB = 130;
const AFTER_LINES_MIB = 240;
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
