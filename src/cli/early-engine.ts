import type { Config } from "../config.ts";
import { type Engine, openEngine } from "../db/embedded/engine.ts";
import { createDisk, type Disk } from "../files/disk.ts";

type Log = (level: "info" | "warn", line: string) => void;

/** The embedded PostgreSQL of a server that is still being loaded. */
export interface EarlyEngine {
  disk: Disk;
  opening: Promise<Engine>;
  /** Passes on what there is to log, including what came before there was a log. */
  logTo(log: Log): void;
}

/** Starts the embedded PostgreSQL, which takes as long as loading the modules of the site; both happen at once. */
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
