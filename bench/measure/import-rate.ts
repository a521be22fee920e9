import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { corpus, type CorpusOptions } from "../corpus.ts";
import { cpuOfEnded } from "./processes.ts";
import { command } from "./program.ts";

export interface Imported {
  articlesPerSecond: number;
  /** The most that the importing process used with its PostgreSQL, in MiB. */
  memory: number;
  /** Milliseconds of processor time for each article, PostgreSQL's included. */
  cpu: number;
}

/** Imports a corpus into a data directory; the time is that of the whole command. */
export async function importCorpus(dataDir: string, options: CorpusOptions): Promise<Imported> {
  const file = `${dataDir}.ndjson`;
  try {
    await pipeline(Readable.from(corpus(options)), createWriteStream(file));
    const [startedAt, cpuBefore] = [performance.now(), cpuOfEnded()];
    const memory = await command(dataDir, ["import", file]);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = ((cpuOfEnded() - cpuBefore) * 1000) / options.articles;
    return { articlesPerSecond: options.articles / seconds, memory, cpu };
  } finally {
    await rm(file, { force: true });
  }
}
