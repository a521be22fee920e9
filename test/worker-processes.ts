import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServer } from "../src/cli/running-servers.ts";
import { exists } from "../src/db/embedded/processes.ts";
import { PATIENCE_MS } from "./patience.ts";
import type { ServerProcess } from "./server-process.ts";
import { until } from "./until.ts";

/** The processes that work for a server now, by their notes in its data directory. */
export function workersOf(server: ServerProcess, role?: "web" | "jobs"): number[] {
  const folder = join(server.folder, "servers");
  return readdirSync(folder)
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return text.endsWith("}") ? (JSON.parse(text) as RunningServer) : undefined;
    })
    .filter((note) => note?.parent === server.child.pid && exists(note?.pid ?? 0))
    .filter((note) => role === undefined || note?.config.role === role)
    .map((note) => note?.pid ?? 0);
}

/** Waits until the server has these numbers of workers. */
export async function hasWorkers(server: ServerProcess, { web, jobs = 1 }: { web: number; jobs?: number }) {
  const count = (role: "web" | "jobs") => workersOf(server, role).length;
  await until(() => count("web") === web && count("jobs") === jobs);
}

/** The processes that have completed requests, or those to a path, by the log. */
export function answering(server: ServerProcess, path?: string): Set<number> {
  const lines = server.output().split("\n");
  const answers = lines.filter(
    (line) =>
      line.includes('"request completed"') && (path === undefined || line.includes(`"path":"${path}"`)),
  );
  return new Set(answers.map((line) => (JSON.parse(line) as { pid: number }).pid));
}

const PAUSE_MS = 50;

/** Requests, each on a connection of its own, until `stop`, which returns how each ended: by status or code of the error. */
export function keepAsking(server: ServerProcess, path: string, atOnce = 4) {
  const ends = new Map<number | string, number>();
  const stopping = new AbortController();
  const ask = async () => {
    while (!stopping.signal.aborted) {
      const headers = { connection: "close" };
      const end = await server.request(path, { headers }).then(
        (answer) => answer.status,
        (error: Error) => (error.cause as NodeJS.ErrnoException).code ?? "",
      );
      ends.set(end, (ends.get(end) ?? 0) + 1);
      // Without a pause they would take the processor from the server.
      await sleep(PAUSE_MS);
    }
  };
  const asking = Array.from({ length: atOnce }, ask);
  return {
    /** How the requests have ended so far. */
    ends,
    async stop(patienceMs = PATIENCE_MS) {
      stopping.abort();
      await Promise.race([Promise.all(asking), sleep(patienceMs)]);
      return ends;
    },
  };
}
