import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import type { Pool } from "pg";
import { buildApp } from "../../app.ts";
import type { Nightly, NightlyOptions } from "../backup/nightly.ts";
import { answerMetrics, askForOthers } from "../workers/metrics.ts";
import type { Access } from "../workers/messages.ts";
import type { Parent } from "../workers/parent.ts";
import { asTyped, type Config, misspeltVariables } from "../../platform/config.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../platform/db/connect.ts";
import { failureCode } from "../../platform/db/failures.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as demoKeys from "../demo/key.ts";
import { invalid } from "../../platform/errors.ts";
import { createDisk, type Room } from "../../platform/files/disk.ts";
import { openFiles } from "../../platform/files/open.ts";
import { checkOutbound } from "../health/checks.ts";
import type { App } from "../../http/app-type.ts";
import { closeServer } from "../../http/connections.ts";
import * as vocabulary from "../../search/vocabulary.ts";
import { count } from "../../platform/text/sentences.ts";
import { startWorker } from "../../worker.ts";
import type { EarlyEngine } from "./early-engine.ts";
import { prepareFirstAdmin } from "./set-up.ts";
import { type Progress, step } from "./output.ts";
import { noteServer } from "./running-servers.ts";
import { createDeferredPool, createServices, onPool } from "./server-parts.ts";
import { createShutdown, runUntilStopped, type Shutdown } from "./shutdown.ts";
import { type Lifecycle, openReplicas, openSite, whenAvailable } from "./site-database.ts";
import { announce } from "./welcome.ts";

export interface ServeOptions {
  demo?: boolean | undefined;
  progress: Progress;
  engine?: EarlyEngine | undefined;
  parent?: Parent | undefined;
}

type Server = Awaited<ReturnType<typeof createParts>>;

/** Serves until the process is stopped, and returns the exit code. It listens before it is ready. */
export async function serve(config: Config, options: ServeOptions): Promise<number> {
  // V8 would let the heap grow to several times its use before it collects old objects.
  setFlagsFromString("--heap-growing-percent=100");
  const { engine, parent } = options;
  const server = await createParts(config, { parent, disk: engine?.disk ?? parent?.disk });
  const { log } = server.app;
  const drainMs = 1_000 * config.drainSeconds;
  const shutdown = createShutdown(log, parent === undefined ? { drainMs } : { isWorker: true });
  parent?.stopping.addEventListener("abort", () => void shutdown.end(0));
  if (parent === undefined) for (const sentence of misspeltVariables()) log.warn(sentence);
  engine?.logTo((level, line) => log[level](line));
  shutdown.signal.addEventListener("abort", options.progress.end);
  // A worker that another one replaces is no sign that the server stops.
  const leaving = parent?.leaving ?? shutdown.signal;
  leaving.addEventListener("abort", () => server.services.stopping.abort());
  shutdown.defer("engine", async () => (await engine?.opening.catch(() => undefined))?.stop());
  shutdown.defer("renderer", () => server.services.renderPool.close());
  shutdown.defer("feed reader", () => server.services.feedReader.close());
  shutdown.defer("images", async () => server.services.images.close());
  shutdown.defer("net", () => server.services.net.close());
  return runUntilStopped(shutdown, () => start(server, shutdown, options));
}

async function createParts(
  config: Config,
  {
    parent,
    disk = createDisk(config.minFreeDiskBytes),
  }: { parent: Parent | undefined; disk: Room | undefined },
) {
  const pools = { web: createDeferredPool(), slow: createDeferredPool(), jobs: createDeferredPool() };
  const main = onPool(pools.web);
  const db = { main, replica: main, shared: main, slow: onPool(pools.slow), jobs: onPool(pools.jobs) };
  const services = createServices(config, { db, disk });
  const files = await openFiles(config, { disk, onFailure: services.metrics.noteFileStoreError });
  const context: Context = { config, db, files, now: () => new Date() };
  services.metrics.watchProcess(config.role);
  if (parent) {
    services.metrics.addOthers(() => askForOthers(parent.channel));
    answerMetrics(parent.channel, async () => [await services.metrics.values()]);
  }
  if (config.databaseUrl === undefined) services.metrics.watchDisk(disk);
  const app = await buildApp(context, services, config.role);
  return { app, context, services, pools };
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  const elsewhere = `${host} is not an address of this computer: set HOST to one that is, or to 0.0.0.0 for all.`;
  const faults: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop the program that uses it, or set another PORT.`,
    EACCES: `Port ${port} may not be used by this user: set PORT to one above 1023.`,
    EADDRNOTAVAIL: elsewhere,
    ENOTFOUND: elsewhere,
  };
  try {
    // Fastify would start a second server for "localhost", without the limits of this one.
    await app.listen({ host: host === "localhost" ? "127.0.0.1" : host, port });
  } catch (error) {
    const fault = faults[failureCode(error)];
    throw fault === undefined ? error : invalid(fault);
  }
}

/** A server listens first. So does the first of several workers; the others begin when they can answer. */
async function start(server: Server, shutdown: Shutdown, options: ServeOptions): Promise<void> {
  const { app, context } = server;
  const { config } = context;
  const { parent, progress } = options;
  const { isFirst, connections } = (await parent?.started) ?? { isFirst: true, connections: 0 };
  const isListening = parent === undefined || config.role === "web";
  if (isListening && isFirst) await open(server, shutdown, parent);
  const onWait = () => parent?.tellWaiting();
  const lifecycle = { log: app.log, shutdown, isFirst, connections, onWait };
  const access = await work(server, lifecycle, options);
  if (isListening && !isFirst) await open(server, shutdown, parent);
  progress.end();
  await noteServer(config, new Date(), parent && process.ppid).then(
    (remove) => shutdown.defer("http", remove),
    // A server without its note still serves.
    (error: unknown) => app.log.debug({ err: error }, "doctor can't know this server's settings"),
  );
  const local = isListening ? addressOf(app, config) : "";
  if (parent) parent.tellReady({ local, access });
  else announce(app.log, config, { local, access });
}

async function open({ app, context }: Server, shutdown: Shutdown, parent: Parent | undefined): Promise<void> {
  await listen(app, context.config);
  // A worker's connections come from its parent, which gives them to others from then on.
  const close = () => (parent === undefined ? closeServer(app) : app.close());
  shutdown.defer("http", close, () => app.server.closeAllConnections());
}

async function work(
  server: Server,
  lifecycle: Lifecycle,
  { demo = false, progress, engine, parent }: ServeOptions,
): Promise<Access> {
  const { app, context, services } = server;
  const { config, files, now } = context;
  progress.show(step("Starting the database"));
  const opening = engine ?? (config.databaseUrl === undefined ? parent?.engine : undefined);
  const site = await openSite(config, opening, lifecycle);
  const { jobs } = context.db;
  resolve(server, "jobs", site.jobs.pool);
  const setUp = async () => {
    const access = await (demo
      ? prepareDemo(jobs, server, { progress, lifecycle })
      : prepareSite(jobs, server));
    // Earlier searches would correct no misspelt words.
    await inTransaction(jobs, (tx) => vocabulary.addUpChanges(tx));
    const { result, message } = await checkOutbound(jobs);
    if (result !== "ok") app.log.warn(message);
    return access;
  };
  const access = lifecycle.isFirst ? await whenAvailable(lifecycle, setUp) : {};
  resolve(server, "web", site.web);
  resolve(server, "slow", site.slow);
  const { metrics } = services;
  await openReplicas(config, { ...lifecycle, db: context.db, metrics, breakAll: site.breakAll });
  const log = (level: "debug" | "warn" | "error", line: string) => app.log[level](line);
  const { baseUrl, mail, role } = config;
  const { pool, connection } = site.jobs;
  const nightly = role === "web" ? undefined : await prepareBackups(server, { connection, log });
  const worker = await whenAvailable(lifecycle, () =>
    startWorker({ pool, db: jobs, services, files, baseUrl, mail, role, nightly, now, log }),
  );
  lifecycle.shutdown.defer("worker", () => worker.stop());
  return access;
}

function resolve({ pools, services }: Server, name: keyof Server["pools"], pool: Pool): void {
  pools[name].resolve(pool);
  services.metrics.watchPool(name, pool);
}

async function prepareBackups(
  { context: { config, db, files, now }, services }: Server,
  of: Pick<NightlyOptions, "connection" | "log">,
): Promise<Nightly | undefined> {
  const { backupDir } = config;
  if (backupDir === undefined) return undefined;
  const { createNightly } = await import("../backup/nightly.ts");
  const { signal } = services.stopping;
  const nightly = await createNightly({
    ...of,
    config: { ...config, backupDir },
    db: db.jobs,
    files,
    now,
    signal,
  });
  services.metrics.watchBackups(nightly.ageSeconds);
  return nightly;
}

async function prepareDemo(
  db: Db,
  { context, services }: Server,
  { progress, lifecycle }: { progress: Progress; lifecycle: Lifecycle },
): Promise<Access> {
  const now = context.now();
  progress.show(step("Loading the demo community"));
  const demo = await import("../demo/demo.ts");
  const onProgress = ({ records }: { records: number }) => {
    progress.show(step(`Loading the demo community: ${count(records, "record")}`));
    lifecycle.onWait();
  };
  await demo.load(db, { renderPool: services.renderPool, now, baseUrl: context.config.baseUrl, onProgress });
  return { demoKey: await demoKeys.renew(db, now), signInPaths: await demoKeys.signInPaths(db, now) };
}

/** Ends the demo's key, which everyone knows who saw its terminal. */
async function prepareSite(db: Db, { app, context: { config } }: Server): Promise<Access> {
  if (await demoKeys.end(db)) app.log.warn(asTyped(DEMO_KEY_ENDED));
  return { setUpPath: await prepareFirstAdmin(db, config) };
}

const DEMO_KEY_ENDED =
  "This database holds the demo, and this server runs without --demo: the demo's API key is revoked. `inkstone demo --remove` removes the demo's users and articles too.";

function addressOf(app: App, { host }: Config): string {
  const { port } = app.server.address() as AddressInfo;
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = isEverywhere || host === "127.0.0.1" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
