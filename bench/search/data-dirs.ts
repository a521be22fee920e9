import { say } from "../entry.ts";
import { type DataDir, prepareDataDir } from "../measure/data-dir.ts";
import { importCorpus } from "../measure/import-rate.ts";
import { round } from "../report.ts";

interface Made {
  articles: number;
  seed: number;
  /** Milliseconds since 1970; the newest article is from just before. */
  madeAt: number;
}

/** A data directory with a corpus in it. */
export type CorpusDir = DataDir & Made;

const SEED = 1;

/** Makes a temporary one, or one in the directory `keep` unless an earlier run has made it there. */
export function prepareCorpus(articles: number, keep: string | undefined): Promise<CorpusDir> {
  return prepareDataDir({ name: String(articles), keep }, (path) => fill(path, articles));
}

async function fill(path: string, articles: number): Promise<Made> {
  say(`Importing ${round(articles)} articles`);
  const madeAt = Date.now();
  await importCorpus(path, { articles, seed: SEED, until: new Date(madeAt) });
  return { articles, seed: SEED, madeAt };
}
