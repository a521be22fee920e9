import { isatty } from "node:tty";
import type { Channel, Connections, Room } from "../workers/messages.ts";
import { relayMetrics } from "../workers/metrics.ts";
import { type WorkerRole, Workers } from "../workers/workers.ts";
import { type Config, misspeltVariables } from "../../platform/config.ts";
import { connectionsOf } from "../../platform/config/connections.ts";
import { createLog } from "../../http/logging.ts";
import type { EarlyEngine } from "./early-engine.ts";
import type { Progress } from "./output.ts";
import { noteServer } from "./running-servers.ts";
import { createShutdown, runUntilStopped, type Shutdown } from "./shutdown.ts";
import { announce } from "./welcome.ts";

interface ParentOptions {
  progress: Progress;
  engine: EarlyEngine | undefined;
}

/** Starts the workers, and returns the exit code at the end. The site is not loaded here, to stay small. */
export async function serveWorkers(config: Config, { progress, engine }: ParentOptions): Promise<number> {
  const log = createLog(config);
  const shutdown = createShutdown(log, { drainMs: 1_000 * config.drainSeconds });
  for (const sentence of misspeltVariables()) log.warn(sentence);
  engine?.logTo((level, line) => log[level](line));
  shutdown.signal.addEventListener("abort", progress.end);
  shutdown.defer("engine", async () => (await engine?.opening.catch(() => undefined))?.stop());
  const joinMetrics = relayMetrics();
  const workers = new Workers({
    roles: rolesOf(config),
    connections: connectionsOf(config),
    log: (level, line) => log[level](line),
    onWorker(channel) {
      joinMetrics(channel);
      if (engine) introduce(channel, engine);
    },
  });
  shutdown.defer(
    "http",
    () => workers.stop(),
    () => workers.kill(),
  );
  shutdown.signal.addEventListener("abort", () => workers.tell({ kind: "leave" }));
  if (engine) engine.disk.listen(tellRoom(workers, engine));
  reloadAtHangup(workers, shutdown);
  return runUntilStopped(shutdown, async () => {
    const [{ local, access }] = await Promise.all([workers.open(), engine?.opening]);
    progress.end();
    const remove = await noteServer(config, new Date());
    shutdown.defer("http", remove);
    announce(log, config, { local, access });
  });
}

function rolesOf({ role, workers }: Config): WorkerRole[] {
  const web = Array.from({ length: workers }, () => "web" as const);
  return role === "all" ? [...web, "jobs"] : web;
}

function introduce(channel: Channel, { disk, opening }: EarlyEngine): void {
  channel.send<Room>(roomOf(disk));
  opening.then(
    ({ connection, owner }) => channel.send<Connections>({ kind: "engine", connection, owner }),
    () => {},
  );
}

const roomOf = ({ hasRoom, freeBytes }: EarlyEngine["disk"]): Room => ({ kind: "disk", hasRoom, freeBytes });

function tellRoom(workers: Workers, { disk }: EarlyEngine): () => void {
  let told = "";
  return () => {
    const state = `${disk.hasRoom} ${Math.round((disk.freeBytes ?? 0) / 1e6)}`;
    if (state !== told) workers.tell(roomOf(disk));
    told = state;
  };
}

/** The end of a terminal hangs up too. */
function reloadAtHangup(workers: Workers, shutdown: Shutdown): void {
  const isInTerminal = isatty(1);
  process.on("SIGHUP", () => {
    if (isInTerminal && !isatty(1)) void shutdown.end(0);
    else workers.reload();
  });
}
