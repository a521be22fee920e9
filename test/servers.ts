import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../src/app.ts";
import type { RunningServer } from "../src/operate/cli/running-servers.ts";
import { connect, type Connection } from "../src/platform/db/connect.ts";
import { exists } from "../src/platform/db/embedded/processes.ts";
import type { App } from "../src/http/app-type.ts";
import { connectionTo, withOptions } from "./database.ts";
import { builtProgram, PATIENCE_MS } from "./setup.ts";
import { freePort, until } from "./waiting.ts";
import { type Call, createServices, type Reply, send, type World } from "./world.ts";

/** `inkstone serve` as a process of its own. */
export interface ServerProcess {
  child: ChildProcess;
  /** Where it was started. */
  folder: string;
  origin: string;
  request: (path: string, call?: Question) => Promise<Answer>;
  /** Everything it has written. */
  output: () => string;
  /** Ends it without warning, unless it has ended. */
  kill: () => Promise<void>;
}

interface Question {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a form. */
  body?: object;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Starts a server with this database and waits until it is ready, its background work included. */
export async function startServerProcess(
  databaseUrl: string,
  more: Record<string, string> = {},
  args: string[] = [],
  program = builtProgram(),
): Promise<ServerProcess> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "inkstone-serve-"));
  const own = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: "info" };
  const env = { ...own, ...more };
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [program, "serve", ...args], { cwd: folder, env });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said += String(text)));
  const exit = once(child, "exit");
  const deadline = performance.now() + PATIENCE_MS;
  while (!said.includes("Inkstone is ready.")) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`The server isn't ready: ${said}`);
    await sleep(50);
  }
  return {
    child,
    folder,
    origin,
    output: () => said,
    request: (path, call) => fetchFrom(origin + path, call),
    async kill() {
      child.kill("SIGKILL");
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fetchFrom(
  url: string,
  { method = "GET", key, headers = {}, body }: Question = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const answer = await fetch(url, {
    redirect: "manual",
    method,
    headers: {
      ...headers,
      ...(key !== undefined && { "api-key": key }),
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

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
  let open = 0;
  const stopping = new AbortController();
  const ask = async () => {
    while (!stopping.signal.aborted) {
      const headers = { connection: "close" };
      open++;
      const end = await server.request(path, { headers }).then(
        (answer) => answer.status,
        (error: Error) => (error.cause as NodeJS.ErrnoException).code ?? "",
      );
      open--;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      // Without a pause they would take the processor from the server.
      await sleep(PAUSE_MS);
    }
  };
  const asking = Array.from({ length: atOnce }, ask);
  return {
    /** How the requests have ended so far. */
    ends,
    /** How many requests have no end yet. */
    open: () => open,
    async stop(patienceMs = PATIENCE_MS) {
      stopping.abort();
      await Promise.race([Promise.all(asking), sleep(patienceMs)]);
      return ends;
    },
  };
}

/** A second server on the database of a world, which shares nothing with the first one but that. */
export interface AnotherServer extends Connection {
  app: App;
  services: ReturnType<typeof createServices>;
  request: (call: Call) => Promise<Reply>;
  stop: () => Promise<void>;
}

interface Options {
  /** The options of each session, as in `-c name=value`. */
  session?: string;
  poolSize?: number;
}

export async function startAnother(
  world: World,
  { session, poolSize = 4 }: Options = {},
): Promise<AnotherServer> {
  const database = connectionTo(world.name);
  const connection = session === undefined ? database : withOptions(database, session);
  const opened = connect({ connection, poolSize });
  const { db } = opened;
  const services = createServices(db, world.context.config);
  const app = await buildApp(
    { ...world.context, db: { main: db, replica: db, shared: db, slow: db, jobs: db } },
    services,
  );
  await app.ready();
  return {
    ...opened,
    app,
    services,
    request: (call) => send(app, call),
    async stop() {
      await app.close();
      services.images.close();
      await services.net.close();
      await db.destroy();
    },
  };
}

/** A statement of the program, as the bundle has it, and as the next version has it. */
const CHANGE = [
  'selectFrom("settings").select(["key", "value"]).execute()',
  'selectFrom("settings").select(["key", "value", "mood"]).execute()',
] as const;

/** Makes the version after this one: it has one more expanding migration, and a statement that needs it. */
export async function nextVersion(dist = dirname(builtProgram())) {
  const root = await mkdtemp(join(tmpdir(), "inkstone-next-"));
  cpSync(dist, join(root, "dist"), { recursive: true });
  for (const name of ["node_modules", "package.json", "assets", "demo"])
    symlinkSync(join(dist, "..", name), join(root, name));
  const migrations = join(root, "dist/platform/db/migrations");
  const number = readdirSync(migrations).length + 1;
  const migration = `${String(number).padStart(4, "0")}-moods.sql`;
  writeFileSync(join(migrations, migration), "-- expand\n\nalter table settings add column mood text;\n");
  const changed = readdirSync(join(root, "dist")).filter((name) => changeIn(join(root, "dist", name)));
  // Files of earlier builds may lie beside those of the last one.
  if (changed.length === 0) throw new Error("No file of the bundle reads the settings.");
  return {
    program: join(root, "dist/cli.js"),
    migration,
    remove: () => rm(root, { recursive: true }),
  };
}

function changeIn(path: string): boolean {
  if (!path.endsWith(".js")) return false;
  const text = readFileSync(path, "utf8");
  if (!text.includes(CHANGE[0])) return false;
  writeFileSync(path, text.replace(...CHANGE));
  return true;
}
