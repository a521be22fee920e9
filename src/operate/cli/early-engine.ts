import type { Config } from "../../platform/config.ts";
import { embeddedConnections } from "../../platform/config/connections.ts";
import { openEngine } from "../../platform/db/embedded/engine.ts";
import { createDisk } from "../../platform/files/disk.ts";

type Log = (level: "info" | "warn", line: string) => void;

export type EarlyEngine = ReturnType<typeof startEngine>;

/** Starts PostgreSQL while the modules of the site are loaded, which takes as long. */
export function startEngine(config: Config) {
  const { dataDir, minFreeDiskBytes } = config;
  const early: Parameters<Log>[] = [];
  let log: Log = (...line) => early.push(line);
  const disk = createDisk(minFreeDiskBytes);
  const opening = openEngine({
    dataDir,
    holder: "server",
    log: (line) => log("info", line),
    settings: { max_connections: String(embeddedConnections(config)) },
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
    /** Logs the lines so far, and later ones. */
    logTo(next: Log): void {
      log = next;
      for (const line of early.splice(0)) next(...line);
    },
  };
}
