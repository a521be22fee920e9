import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A data directory with something in it. */
export interface DataDir {
  path: string;
  /** Takes a temporary one away. */
  leave(): Promise<void>;
}

/** A data directory that the program still has to make, where PostgreSQL can live even if root runs the bench. */
export function newDataDir(): DataDir {
  const path = join(tmpdir(), `inkstone-bench-${randomUUID().slice(0, 8)}`);
  return { path, leave: () => rm(path, { recursive: true, force: true }) };
}

/** Has a directory filled unless an earlier run has kept it, and gives it with what `fill` told of it then. */
export async function prepareDataDir<Told extends object>(
  { name, keep }: { name: string; keep: string | undefined },
  fill: (path: string) => Promise<Told>,
): Promise<DataDir & Told> {
  if (keep !== undefined) {
    const path = join(keep, name);
    return { path, leave: async () => undefined, ...(await fillOnce(path, () => fill(path))) };
  }
  const dataDir = newDataDir();
  try {
    return { ...dataDir, ...(await fill(dataDir.path)) };
  } catch (error) {
    await dataDir.leave();
    throw error;
  }
}

async function fillOnce<Told>(path: string, fill: () => Promise<Told>): Promise<Told> {
  const note = `${path}.json`;
  // The note is written last: a directory without one is what an interrupted run has left.
  if (existsSync(note)) return JSON.parse(await readFile(note, "utf8")) as Told;
  if (existsSync(path)) throw new Error(`${path} was not filled to its end: remove it, and it is made anew.`);
  await mkdir(dirname(path), { recursive: true });
  const told = await fill();
  await writeFile(note, JSON.stringify(told));
  return told;
}
