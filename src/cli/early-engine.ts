import type { Config } from "../config.ts";
import { type Engine, openEngine } from "../db/embedded/engine.ts";
import { createDisk, type Disk } from "../files/disk.ts";

type Log = (level: "info" | "warn", line: string) => void;

/** The embedded PostgreSQL of a server that is still being loaded. */
export interface EarlyEngine {
  disk: Disk;
  opening: Promise<Engine>;
  /** Logs here from now on, beginning with the lines so far. */
  logTo(log: Log): void;
}

/** Starts the embedded PostgreSQL while the modules of the site are loaded, which takes as long. */
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
  // A failure is handled where the engine is needed, which may be later.
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
