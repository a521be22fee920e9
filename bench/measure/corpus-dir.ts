import { say } from "../entry.ts";
import { type DataDir, prepareDataDir } from "./data-dir.ts";
import { command } from "./program.ts";
import { importCorpus, type Imported } from "./import-rate.ts";
import { round } from "../report.ts";

interface Made {
  articles: number;
  seed: number;
  /** Milliseconds since 1970; the newest article is from just before. */
  madeAt: number;
}

/** A data directory with a corpus in it. */
export type CorpusDir = DataDir & Made;

export const SEED = 1;

/**
 * Makes a temporary one, or one in the directory `keep` unless an earlier run has made it there.
 * @param note receives the speed of the import when there was one
 */
export async function prepareCorpus(
  articles: number,
  keep: string | undefined,
  note: (imported: Imported) => void = () => undefined,
): Promise<CorpusDir> {
  const dataDir = await prepareDataDir({ name: String(articles), keep }, async (path) => {
    say(`Importing ${round(articles)} articles`);
    const madeAt = Date.now();
    note(await importCorpus(path, { articles, seed: SEED, until: new Date(madeAt) }));
    return { articles, seed: SEED, madeAt };
  });
  // An earlier version of the program may have made it.
  if (keep !== undefined) await command(dataDir.path, ["migrate"]);
  return dataDir;
}
