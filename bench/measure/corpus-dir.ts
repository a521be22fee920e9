import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { corpus, type CorpusOptions } from "../corpus.ts";
import { say } from "../kit.ts";
import { type DataDir, prepareDataDir } from "./data-dir.ts";
import { cpuOfEnded } from "./processes.ts";
import { command, OURS, type Program } from "./program.ts";
import { round } from "../report.ts";

/** How an import went. */
export interface Imported {
  articlesPerSecond: number;
  /** The most that the importing process used with its PostgreSQL, in MiB. */
  memory: number;
  /** Milliseconds of processor time for each article, PostgreSQL's included. */
  cpu: number;
}

interface Made {
  articles: number;
  seed: number;
  /** Milliseconds since 1970; the newest article is from just before. */
  madeAt: number;
  imported: Imported;
}

/** A data directory with a corpus in it. */
export type CorpusDir = DataDir & Made;

export const SEED = 1;

interface Wanted {
  articles: number;
  keep?: string | undefined;
  program?: Program;
  madeAt?: number;
  mostBytes?: number;
}

/** Makes a temporary one, or one in the directory `keep` unless an earlier run has made it there. */
export async function prepareCorpus(wanted: Wanted): Promise<CorpusDir> {
  const { articles, keep, program = OURS, madeAt = Date.now(), mostBytes = Infinity } = wanted;
  const name = program === OURS ? String(articles) : `${articles}-beside`;
  const dataDir = await prepareDataDir({ name, keep }, async (path) => {
    say(`Importing ${round(articles)} articles`);
    const options = { articles, seed: SEED, until: new Date(madeAt), mostBytes };
    return { articles, seed: SEED, madeAt, imported: await importCorpus(path, options, program) };
  });
  // An earlier version of the program may have made it.
  if (keep !== undefined) await command(dataDir.path, ["migrate"], program);
  return dataDir;
}

/** Imports a corpus into a data directory; the time is that of the whole command. */
async function importCorpus(dataDir: string, options: CorpusOptions, program: Program): Promise<Imported> {
  const file = `${dataDir}.ndjson`;
  try {
    await pipeline(Readable.from(corpus(options)), createWriteStream(file));
    const [startedAt, cpuBefore] = [performance.now(), cpuOfEnded()];
    const { memory } = await command(dataDir, ["import", file], program);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = ((cpuOfEnded() - cpuBefore) * 1000) / options.articles;
    return { articlesPerSecond: options.articles / seconds, memory: memory.all, cpu };
  } finally {
    await rm(file, { force: true });
  }
}
