import { rm } from "node:fs/promises";
import { say } from "../entry.ts";
import type { Figure } from "../figures.ts";
import { SEED } from "../measure/corpus-dir.ts";
import { prepareDataDir } from "../measure/data-dir.ts";
import { importCorpus, type Imported } from "../measure/import-rate.ts";
import { newDataDir } from "../measure/start-up.ts";
import { timeFinding } from "./found.ts";
import { type Line, measureLines } from "./lines.ts";
import { measureReads, type Read } from "./reads.ts";
import { openSite } from "./site.ts";

export const PARTS = ["lines", "found", "import", "reads"] as const;
export type Part = (typeof PARTS)[number];

export interface WriteBench {
  parts: readonly Part[];
  /** How long each kind is measured, in all. */
  seconds: number;
  connections: number;
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

async function measureOnEmpty({ parts, seconds, connections }: WriteBench, results: WriteResults) {
  const dataDir = newDataDir();
  try {
    const site = await openSite(dataDir, connections);
    try {
      if (parts.includes("lines")) results.lines.push(...(await measureLines(site, seconds)));
      if (!parts.includes("found")) return;
      say("Finding new articles at full rate");
      results.figures.push(...(await timeFinding(site, seconds)));
    } finally {
      await site.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const ARTICLES = 10_000;
/** Bodies of 4.2 KB on average. */
const MOST_BYTES = 4_400;

const IMPORT_PER_SECOND = 450;
/** 300 MB. */
const IMPORT_MIB = 286;

async function measureOnCorpus({ parts, seconds, connections }: WriteBench, results: WriteResults) {
  say("Importing 10,000 articles");
  const made = { articles: ARTICLES, seed: SEED };
  const dataDir = await prepareDataDir({ name: String(ARTICLES), keep: undefined }, (path) =>
    importCorpus(path, { ...made, mostBytes: MOST_BYTES }),
  );
  try {
    results.lines.push(importLine(dataDir));
    const name = "Memory (PSS) of the import, the most";
    results.figures.push({ name, value: dataDir.memory, unit: "MiB", atMost: IMPORT_MIB });
    if (!parts.includes("reads")) return;
    const { path } = dataDir;
    const { reads, writes } = await measureReads({ ...made, dataDir: path, connections, seconds });
    results.lines.push(writes);
    results.reads.push(...reads);
  } finally {
    await dataDir.leave();
  }
}

function importLine({ articlesPerSecond, cpu }: Imported): Line {
  const name = "Import 10,000 articles of 4.2 KB, the whole command";
  return { name, perSecond: articlesPerSecond, cpu, targets: { perSecond: IMPORT_PER_SECOND } };
}
