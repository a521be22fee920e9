import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeOnce } from "./make-once.ts";
import { newDataDir } from "./start-up.ts";

/** A data directory with something in it. */
export interface DataDir {
  path: string;
  /** Takes a temporary one away. */
  leave(): Promise<void>;
}

interface Place {
  /** Its name in the folder of kept directories. */
  name: string;
  /** Where they are kept; a temporary one is made without it. */
  keep: string | undefined;
}

/** Has a directory filled unless an earlier run has kept it, and gives it with what `fill` told of it then. */
export async function prepareDataDir<Told extends object>(
  { name, keep }: Place,
  fill: (path: string) => Promise<Told>,
): Promise<DataDir & Told> {
  if (keep !== undefined) {
    const path = join(keep, name);
    return { path, leave: stay, ...(await makeOnce(path, () => fill(path))) };
  }
  const path = newDataDir();
  const leave = () => rm(path, { recursive: true, force: true });
  try {
    return { path, leave, ...(await fill(path)) };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function stay(): Promise<void> {}
