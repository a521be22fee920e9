import type { Config } from "../config.ts";
import { type Engine, openEngine } from "../db/embedded/engine.ts";
import { createDisk, type Disk } from "../files/disk.ts";

type Log = (level: "info" | "warn", line: string) => void;

export interface EarlyEngine {
  disk: Disk;
  opening: Promise<Engine>;
  /** Also logs the lines so far. */
  logTo(log: Log): void;
}

/** Starts PostgreSQL while the modules of the site are loaded, which takes as long. */
export function startEngine({ dataDir, minFreeDiskBytes }: Config): EarlyEngine {
  const early: Parameters<Log>[] = [];
  let log: Log = (...line) => early.push(line);
  const disk = createDisk(minFreeDiskBytes);
  const opening = openEngine({
    dataDir,
    holder: "server",
    log: (line) => log("info", line),
    disk: {
      makeRoom: disk.makeRoom,
      watch: (home) => disk.watch(home, (line) => log("warn", line)),
    },
  });
  // Handled where the engine is needed.
  opening.catch(() => {});
  return {
    disk,
    opening,
    logTo(next) {
      log = next;
      for (const line of early.splice(0)) next(...line);
    },
  };
}
