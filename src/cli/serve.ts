import { type Config, readConfig } from "../config.ts";
import { type Engine, openEngine } from "../db/embedded/engine.ts";
import { createDisk, type Disk } from "../files/disk.ts";
import { action } from "./command.ts";
import { startProgress, step } from "./progress.ts";

export const addServe = action(
  {
    name: "serve",
    text: "serve the site until SIGTERM or Ctrl-C",
    options: {
      "--demo": "load the demo community first if it isn't there, and print an API key for it",
    },
    examples: "PORT=8080 inkstone serve",
  },
  async (options: { demo?: boolean }) => {
    const config = readConfig();
    const progress = startProgress({ json: config.logFormat === "json" });
    progress.show(step("Starting Inkstone"));
    const engine = config.databaseUrl === undefined ? startEngine(config) : undefined;
    const { serve } = await import("./serve-site.ts");
    process.exitCode = await serve(config, { ...options, progress, engine }).finally(progress.end);
  },
);

type Log = (level: "info" | "warn", line: string) => void;

/** The embedded PostgreSQL of a server that is still being loaded. */
export interface EarlyEngine {
  disk: Disk;
  opening: Promise<Engine>;
  /** Logs here from now on, beginning with the lines so far. */
  logTo(log: Log): void;
}

/** Starts the embedded PostgreSQL while the modules of the site are loaded, which takes as long. */
function startEngine({ dataDir, minFreeDiskBytes }: Config): EarlyEngine {
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
