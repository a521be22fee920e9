import type { Pair } from "../beside.ts";
import { closing, say } from "../kit.ts";
import { type Imported, prepareCorpus } from "../measure/corpus-dir.ts";
import { newDataDir } from "../measure/data-dir.ts";
import { OURS, type Program } from "../measure/program.ts";
import { timeFinding } from "./found.ts";
import { type Line, measureLines } from "./lines.ts";
import { measureReads, type Read } from "./reads.ts";
import { openSite, type Site } from "./site.ts";
import { type Figure, round } from "../report.ts";

export const PARTS = ["lines", "found", "import", "reads"] as const;

export interface WriteBench {
  parts: readonly (typeof PARTS)[number][];
  /** How long each kind is measured, in all. */
  seconds: number;
  connections: number;
  /** Of the import. */
  articles: number;
}

export interface WriteResults {
  lines: Line[];
  figures: Figure[];
  reads: Read[];
}

export async function measureWrites(bench: WriteBench): Promise<WriteResults> {
  const { parts } = bench;
  const results: WriteResults = { lines: [], figures: [], reads: [] };
  if (parts.includes("lines") || parts.includes("found")) await measureOnEmpty(bench, results);
  if (parts.includes("import") || parts.includes("reads")) await measureOnCorpus(bench, results);
  return results;
}

/** Measures the lines and the import of both programs in turns. */
export async function measureWritesBeside(bench: WriteBench, other: Program): Promise<Pair[]> {
  const { parts, seconds, articles } = bench;
  const pairs: Pair[] = [];
  if (parts.includes("lines")) {
    const [now = [], before = []] = await onEmptySites(bench, [OURS, other], (sites) =>
      measureLines(sites, seconds),
    );
    for (const [place, line] of now.entries()) pairs.push(...pairsOf(line, before[place] as Line));
  }
  if (!parts.includes("import")) return pairs;
  const imported: Imported[] = [];
  const madeAt = Date.now();
  for (const program of [OURS, other]) {
    const dir = await prepareCorpus({ articles, program, madeAt, mostBytes: MOST_BYTES });
    imported.push(dir.imported);
    await dir.leave();
  }
  const [now, before] = imported as [Imported, Imported];
  const memory = { unit: "MiB", now: now.memory, before: before.memory } as const;
  return [
    ...pairs,
    ...pairsOf(importLine(now, articles), importLine(before, articles)),
    { name: "Memory (PSS) of the import", ...memory },
  ];
}

function pairsOf(now: Line, before: Line): Pair[] {
  const { name } = now;
  const cost = { name, unit: "ms of CPU", now: now.cpu ?? NaN, before: before.cpu ?? NaN } as const;
  const wal =
    now.wal === undefined || before.wal === undefined
      ? []
      : [{ name, unit: "KB of WAL", now: now.wal, before: before.wal } as const];
  return [cost, ...wal, { name, unit: "a second", now: now.perSecond, before: before.perSecond }];
}

function onEmptySites<Result>(
  { connections }: WriteBench,
  programs: readonly Program[],
  work: (sites: Site[]) => Promise<Result>,
): Promise<Result> {
  return closing(async (later) => {
    const sites: Site[] = [];
    for (const program of programs) {
      const { path, leave } = newDataDir();
      later(leave);
      const site = await openSite(path, connections, program);
      later(site.close);
      sites.push(site);
    }
    return work(sites);
  });
}

function measureOnEmpty(bench: WriteBench, results: WriteResults): Promise<void> {
  const { parts, seconds } = bench;
  return onEmptySites(bench, [OURS], async ([site]) => {
    if (site === undefined) return;
    if (parts.includes("lines")) results.lines.push(...(await measureLines([site], seconds)).flat());
    if (!parts.includes("found")) return;
    say("Finding new articles at full rate");
    results.figures.push(...(await timeFinding(site, seconds)));
  });
}

/** Bodies of 4.2 KB on average. */
const MOST_BYTES = 4_400;

const IMPORT_PER_SECOND = 450;
/** 300 MB. */
const IMPORT_MIB = 286;

async function measureOnCorpus(bench: WriteBench, results: WriteResults): Promise<void> {
  const { parts, seconds, connections, articles } = bench;
  const { path, seed, imported, leave } = await prepareCorpus({ articles, mostBytes: MOST_BYTES });
  try {
    results.lines.push(importLine(imported, articles));
    const name = "Memory (PSS) of the import, the most";
    results.figures.push({ name, value: imported.memory, unit: "MiB", atMost: IMPORT_MIB });
    if (!parts.includes("reads")) return;
    const { reads, writes } = await measureReads({ articles, seed, dataDir: path, connections, seconds });
    results.lines.push(writes);
    results.reads.push(...reads);
  } finally {
    await leave();
  }
}

function importLine({ articlesPerSecond, cpu }: Imported, articles: number): Line {
  const name = `Import ${round(articles)} articles of 4.2 KB, the whole command`;
  return { name, perSecond: articlesPerSecond, cpu, targets: { perSecond: IMPORT_PER_SECOND } };
}
