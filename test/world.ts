import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll } from "vitest";
import { createViewCounter } from "../src/community/analytics/counting.ts";
import { buildApp } from "../src/app.ts";
import { createFragments, createResponseCache } from "../src/platform/cache.ts";
import type { Config } from "../src/platform/config.ts";
import type { Context, Services } from "../src/context.ts";
import { type Databases, type Db, LAG_MS } from "../src/platform/db/connect.ts";
import { inTransaction } from "../src/platform/db/transaction.ts";
import { createFeedReader } from "../src/content/feeds/feed-reader.ts";
import { createDisk } from "../src/platform/files/disk.ts";
import { openFiles } from "../src/platform/files/open.ts";
import type { App } from "../src/http/app-type.ts";
import type { Caller } from "../src/http/actor.ts";
import { describeApi } from "../src/http/openapi.ts";
import { createServer } from "../src/http/server.ts";
import { createImages } from "../src/content/images/images.ts";
import { createMetrics } from "../src/platform/metrics/metrics.ts";
import { createNet } from "../src/platform/net/net.ts";
import { SearchMemory } from "../src/search/index/memory.ts";
import { loadedSearch } from "./searching.ts";
import * as settings from "../src/platform/settings/settings.ts";
import { createRenderPool } from "../src/content/text/render-pool.ts";
import { notePeople } from "../src/community/users/first-run.ts";
import { builders } from "./builders.ts";
import { createDatabase } from "./database.ts";
import { withClock } from "./waiting.ts";
import { openPrimary, openReplicas, type Standbys } from "./standbys.ts";

export const BASE_URL = "https://ink.example";

export const CONFIG: Config = {
  port: 0,
  host: "127.0.0.1",
  baseUrl: BASE_URL,
  dataDir: "/nonexistent",
  drainSeconds: 0,
  databaseUrl: undefined,
  databaseOwnerUrl: undefined,
  databaseReplicaUrls: [],
  databasePoolSize: 4,
  role: "all",
  workers: 1,
  preparedStatements: "auto",
  searchMemoryBytes: 96 * 1024 * 1024,
  minFreeDiskBytes: 0,
  s3: undefined,
  backupDir: undefined,
  backupKeepDays: 7,
  admin: undefined,
  mail: undefined,
  rateLimits: false,
  healthCheckToken: undefined,
  metricsToken: undefined,
  logLevel: "silent",
  logFormat: "json",
  maxConnections: 3_000,
  trustProxy: [],
  edgeSeconds: 0,
  allowPrivateNetwork: false,
  outboundPorts: [],
};

/** For all worlds of this process: threads take longer to start than most tests take. */
export const renderPool = createRenderPool({ baseUrl: BASE_URL });
const feedReader = createFeedReader();

export interface WorldOptions {
  /** When it is in this world; it stands still unless `setNow` moves it. Real time when left out. */
  now?: Date;
  settings?: Record<string, string>;
  /** Whether its pages wait until there is someone, as those of a new site do. */
  isNew?: boolean;
  /** Off when left out. */
  rateLimits?: boolean;
  config?: Partial<Config>;
  /** The name of a database to begin with a copy of, as `createTemplate` makes it; an empty one when left out. */
  template?: string | undefined;
  /** Servers in place of an empty database, as `startStandbys` makes them. */
  standbys?: Standbys;
  /** Called for every request that comes as far as Fastify. */
  onRequest?: () => void;
  /** Another server than the whole one, for tests of what holds for every server. */
  build?: (context: Context, services: Services) => Promise<App>;
}

/** Who the keys of a server without people belong to. */
const CALLERS: Record<string, Caller> = {
  "admin-key": { id: 1, role: "admin", by: { keyId: 1, readOnly: false } },
  "member-key": { id: 2, role: "member", by: { keyId: 2, readOnly: false } },
  "other-member-key": { id: 3, role: "member", by: { keyId: 3, readOnly: false } },
  "read-only-key": { id: 2, role: "member", by: { keyId: 4, readOnly: true } },
};

/** Builds a server with these routes only, which knows the keys `admin-key`, `member-key` and so on. */
export function serverWith(mount: (app: App, context: Context, services: Services) => void) {
  return async (context: Context, services: Services): Promise<App> => {
    const app = await createServer(context, services, async (given) =>
      "key" in given ? CALLERS[given.key] : undefined,
    );
    await describeApi(app);
    mount(app, context, services);
    return app;
  };
}

export interface Reply {
  status: number;
  headers: OutgoingHttpHeaders;
  /** Parsed when it is JSON, else the text. */
  body: unknown;
  text: string;
}

export interface Call {
  method?: string;
  url: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a text or bytes already. */
  body?: unknown;
}

/** A community of its own: an empty database and the server in front of it. */
export async function startWorld(options: WorldOptions = {}) {
  const { connection, superuser, drop, name } = await (options.standbys
    ? openPrimary(options.standbys)
    : createDatabase(options.template));
  const db = connection.db;
  const databases: Databases = { main: db, replica: db, shared: db, slow: db, jobs: db };
  const replicas = options.standbys && openReplicas(databases, options.standbys, connection.breakAll);
  if (replicas) Object.assign(databases, { replicas, shared: replicas.shared });
  if (options.isNew !== true) notePeople(db);
  let now = options.now;
  // Made when a file is written, gone when the world stops.
  const dataDir = join(tmpdir(), `inkstone-world-${randomUUID()}`);
  const config = { ...CONFIG, dataDir, rateLimits: options.rateLimits ?? false, ...options.config };
  const services = createServices(db, config, databases);
  const context: Context = {
    config,
    db: databases,
    files: await openFiles(config, { onFailure: services.metrics.noteFileStoreError }),
    now: () => now ?? new Date(),
  };
  for (const [key, value] of Object.entries(options.settings ?? {})) await settings.set(db, key, value);
  const build = async () => {
    const made = await (options.build ?? buildApp)(context, services);
    const { onRequest } = options;
    if (onRequest) made.addHook("onRequest", async () => onRequest());
    await made.ready();
    return made;
  };
  const app = await build().catch(async (error: unknown) => {
    await drop();
    throw error;
  });

  return {
    ...builders({ db, services, now: context.now }),
    app,
    services,
    context,
    db,
    /** Of the database. */
    name,
    replicas,
    /** For what the program may not: definitions, statistics, damage. */
    superuser,
    pool: connection.pool,
    setNow(date: Date | undefined) {
      now = date;
    },
    request: (call: Call) => send(app, call),
    get: (url: string, { key, headers = {} }: Pick<Call, "key" | "headers"> = {}) =>
      send(app, { url, key, headers }),
    /** Makes the server forget its cached answers, as the next second does, but not its settings. */
    forget: () => inTransaction(db, (tx) => sql`select pg_current_xact_id()`.execute(tx)),
    /**
     * The statements of `work` outside of transactions, each of which takes a connection from the pool once, but not
     * those that read the settings and the sections of the header: the server remembers them while its clock stands still.
     */
    countStatements: (work: () => Promise<unknown>): Promise<number> =>
      withClock(async () => {
        for (const url of ["/api/instance", "/signin"])
          await send(app, { url, headers: { accept: "text/html" } });
        let statements = 0;
        const count = () => void statements++;
        connection.pool.on("acquire", count);
        await work();
        connection.pool.off("acquire", count);
        return statements;
      }),
    /** Waits until all articles are in the memory of search, as they are soon after the first one. */
    loadSearch: () => loadedSearch(services.searchMemory, db),
    /** The unexpected errors; a test without any may check. */
    bugs: services.bugs,
    async stop() {
      // It would wait for clients that keep theirs.
      app.server.closeAllConnections();
      await app.close();
      services.images.close();
      await services.net.close();
      await rm(dataDir, { recursive: true, force: true });
      await replicas?.close();
      await drop();
    },
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** One for all tests of a file or of a `describe`. */
export function worldForAll(options?: WorldOptions): World {
  const world = {} as World;
  beforeAll(async () => void Object.assign(world, await startWorld(options)));
  afterAll(() => world.stop());
  return world;
}

/** The services of one process, for another server on this database. */
export function createServices(
  db: Db,
  config: Config = CONFIG,
  databases?: Databases,
): Services & { bugs: Error[] } {
  const bugs: Error[] = [];
  const fragments = createFragments();
  const metrics = createMetrics();
  const noteUnexpectedError = () => {
    bugs.push(new Error("unexpected error"));
    metrics.noteUnexpectedError();
  };
  return {
    bugs,
    cache: createResponseCache([db], { lagMs: databases?.replicas && LAG_MS }),
    fragments,
    renderPool,
    searchMemory: new SearchMemory(config.searchMemoryBytes, databases, () => fragments.clear()),
    images: createImages(),
    feedReader,
    net: createNet(config),
    views: createViewCounter(),
    metrics: { ...metrics, noteUnexpectedError },
    disk: createDisk(0),
    stopping: new AbortController(),
  };
}

/** Sends one request to a server without a socket, as browsers send the forms of a page. */
export async function send(app: App, { method = "GET", url, key, headers = {}, body }: Call): Promise<Reply> {
  const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  const answer = await app.inject({
    method: method as "GET",
    url,
    headers: {
      "sec-fetch-site": "same-origin",
      ...headers,
      ...(key === undefined ? {} : { "api-key": key }),
      ...(!isRaw && { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { payload: body as string | Buffer | object }),
  });
  const text = answer.payload;
  const isJson = String(answer.headers["content-type"]).includes("json") && text !== "";
  return { status: answer.statusCode, headers: answer.headers, body: isJson ? JSON.parse(text) : text, text };
}
