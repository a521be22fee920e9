import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, existsSync, openSync } from "node:fs";
import { chmod, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { type Account, chooseAccount, isRoot, runAs } from "../src/platform/db/embedded/account.ts";
import { findBinaries } from "../src/platform/db/embedded/binaries.ts";
import { asSuperuser, connectionVia } from "../src/platform/db/embedded/database.ts";
import { LAUNCH, WATCHDOG } from "../src/platform/db/embedded/postmaster.ts";
import { postgresProcesses, readPidFile, signal, waitUntil } from "../src/platform/db/embedded/processes.ts";
import { freePort } from "./waiting.ts";
import { PATIENCE_MS } from "./setup.ts";

/** A PostgreSQL of the tests' own, which listens on 127.0.0.1. */
export interface Server {
  port: number;
  cluster: string;
  /** As the program's role: for DATABASE_URL and DATABASE_REPLICA_URLS. */
  url: string;
  superuserUrl: string;
  /** Stops all its processes, as a computer does that hangs: connections stay, nothing is answered. */
  stop(): void;
  cont(): void;
  /** Ends all its processes at once. */
  kill(): Promise<void>;
  /** Starts it anew, after a clean end unless it has ended. */
  restart(): Promise<void>;
  /** The end of what it has written or replayed. */
  position(): Promise<string>;
  /** The value of an expression, asked as superuser. */
  ask(expression: string): Promise<string>;
}

/** Nothing here outlives a crash of the computer. The log is kept for a standby that was away. */
const SETTINGS = {
  fsync: "off",
  autovacuum: "off",
  shared_buffers: "32MB",
  max_connections: "200",
  wal_keep_size: "512MB",
  wal_retrieve_retry_interval: "100ms",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // In files of the cluster, which are gone with it after a kill too.
  dynamic_shared_memory_type: "mmap",
};

/** Where Debian has what the embedded PostgreSQL lacks: pg_basebackup. */
export const DEBIAN = "/usr/lib/postgresql/15/bin";

/** Where clusters are made, and what runs them. */
export interface Place {
  home: string;
  isDebian: boolean;
  /** Runs a program as the account of the clusters. */
  run(program: string, ...args: string[]): Promise<unknown>;
  /** The path of a program of PostgreSQL. */
  bin(name: string): string;
  start(name: string): Promise<Server>;
  /** Makes a cluster with an identifier of its own, which those out of the program's template do not have. */
  initialize(name: string): Promise<void>;
  /** Ends all servers and removes their clusters. */
  close(): Promise<void>;
}

const isElsewhere = () => process.env["TEST_DATABASE_URL"] !== undefined && existsSync(DEBIAN);

/** Uses the embedded PostgreSQL, or Debian's where the tests run on another server. */
export async function openPlace(
  settings: Record<string, string>,
  { isDebian = isElsewhere() } = {},
): Promise<Place> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "inkstone-servers-")));
  const account = chooseAccount(home);
  await chmod(home, 0o711);
  if (isRoot()) chownSync(home, account.uid, account.gid);
  const dir = isDebian
    ? DEBIAN
    : join(findBinaries({ account, makeSpareDir: () => home, log: () => {} }).dir, "bin");
  const bin = (name: string) => join(dir, name);
  const given = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const ends: (() => Promise<void>)[] = [];
  const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, runAs(account));
  return {
    home,
    isDebian,
    bin,
    run,
    async initialize(name) {
      const args = ["-U", "inkstone", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
      await run(bin("initdb"), "-D", join(home, name), ...args);
    },
    async start(name) {
      const { end, ...server } = await startServer({
        cluster: join(home, name),
        program: [bin("postgres"), ...given],
        account,
      });
      ends.push(end);
      return server;
    },
    async close() {
      for (const end of ends) await end();
      await rm(home, { recursive: true, force: true });
    },
  };
}

interface Launch {
  cluster: string;
  program: string[];
  account: Account;
}

async function startServer(how: Launch): Promise<Server & { end: () => Promise<void> }> {
  const { cluster } = how;
  const port = await freePort();
  let child = await launch(how, port);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const processes = () => postgresProcesses(cluster, child.pid);
  const toAll = (name: NodeJS.Signals) => {
    // The first one begins others.
    if (!hasEnded()) signal(child.pid as number, name);
    for (const pid of processes()) signal(pid, name);
  };
  const cont = () => toAll("SIGCONT");
  const endBy = async (how: () => void) => {
    const ended = hasEnded() ? undefined : once(child, "exit");
    how();
    await ended;
    if (!(await waitUntil(() => processes().length === 0, PATIENCE_MS)))
      throw new Error(`Processes of ${cluster} do not end.`);
  };
  const endWith = (name: NodeJS.Signals) =>
    endBy(() => {
      cont();
      if (!hasEnded()) signal(child.pid as number, name);
    });
  return {
    port,
    cluster,
    url: `postgres://inkstone_app@127.0.0.1:${port}/inkstone`,
    superuserUrl: superuserAt(port),
    stop: () => toAll("SIGSTOP"),
    cont,
    kill: () => endBy(() => toAll("SIGKILL")),
    async restart() {
      await endWith("SIGINT");
      child = await launch(how, port);
    },
    position: () => ask(port, POSITION),
    ask: (expression) => ask(port, expression),
    // The cluster is about to be removed.
    end: () => endWith("SIGQUIT"),
  };
}

const POSITION = `case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end`;

/** Its end follows that of this process, however that comes. */
async function launch({ cluster, program, account }: Launch, port: number): Promise<ChildProcess> {
  const args = [...program, "-D", cluster, "-p", String(port)];
  const log = openSync(`${cluster}.log`, "a");
  const child = spawn("/bin/sh", ["-c", LAUNCH, WATCHDOG, ...args], {
    ...runAs(account),
    stdio: ["ignore", log, log, "pipe"],
    detached: true,
  });
  closeSync(log);
  const watchdog = child.stdio[3] as Duplex;
  watchdog.on("error", () => {});
  // It would keep this process alive, and later end another one that has got the number.
  child.once("exit", () => watchdog.end("release\n"));
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = readPidFile(cluster);
    if (found?.pid === child.pid && found?.ready === true) return child;
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`PostgreSQL does not start on ${cluster}: ${await readFile(`${cluster}.log`, "utf8")}`);
    await sleep(10);
  }
}

export function superuserAt(port: number): string {
  const { user, database } = asSuperuser(connectionVia("", port));
  return `postgres://${user}@127.0.0.1:${port}/${database}`;
}

/** A connection that breaks while idle does not end the process. */
export async function connectTo(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function ask(port: number, expression: string): Promise<string> {
  const client = await connectTo(superuserAt(port));
  try {
    const { rows } = await client.query<{ value: unknown }>(`select ${expression} as value`);
    return String(rows[0]?.value);
  } finally {
    await client.end();
  }
}
