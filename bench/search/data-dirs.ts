import { rm } from "node:fs/promises";
import { join } from "node:path";
import { say } from "../entry.ts";
import { importCorpus } from "../measure/import-rate.ts";
import { makeOnce } from "../measure/make-once.ts";
import { newDataDir } from "../measure/start-up.ts";
import { round } from "../report.ts";

/** A data directory with a corpus in it. */
export interface DataDir {
  path: string;
  articles: number;
  seed: number;
  /** Milliseconds since 1970; the newest article is from just before. */
  madeAt: number;
  /** Takes a temporary one away. */
  leave(): Promise<void>;
}

type Made = Pick<DataDir, "articles" | "seed" | "madeAt">;

const SEED = 1;

/** Makes a temporary one, or one in the directory `keep` unless an earlier run has made it there. */
export function prepareDataDir(articles: number, keep: string | undefined): Promise<DataDir> {
  return keep === undefined ? makeTemporary(articles) : findOrMake(join(keep, String(articles)), articles);
}

async function makeTemporary(articles: number): Promise<DataDir> {
  const path = newDataDir();
  const leave = () => rm(path, { recursive: true, force: true });
  try {
    return { path, ...(await fill(path, articles)), leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function findOrMake(path: string, articles: number): Promise<DataDir> {
  return { path, ...(await makeOnce(path, () => fill(path, articles))), leave: stay };
}

async function stay(): Promise<void> {}

async function fill(path: string, articles: number): Promise<Made> {
  say(`Importing ${round(articles)} articles`);
  const madeAt = Date.now();
  await importCorpus(path, { articles, seed: SEED, until: new Date(madeAt) });
  return { articles, seed: SEED, madeAt };
}
