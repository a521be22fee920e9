import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { connectionTo } from "./database.ts";
import { freePort, untilListening } from "./waiting.ts";

// Debian has it where only administrators look for programs.
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };

export const HAS_BALANCER = spawnSync("haproxy", ["-v"], { env }).status === 0;

/** The configuration of the documents. */
export const BALANCER_FILE = join(import.meta.dirname, "../docs/run/haproxy.cfg");

/** What HAProxy says of a configuration; empty when it is valid. */
export function faultsOfBalancer(file: string): string {
  const { status, stderr } = spawnSync("haproxy", ["-c", "-f", file], { env, encoding: "utf8" });
  return status === 0 ? "" : stderr || `exit code ${status}`;
}

export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

/** Starts HAProxy with the configuration of the documents in front of two servers on this computer. */
export async function startBalancer(ports: readonly [number, number]): Promise<Balancer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "inkstone-balancer-"));
  const file = join(folder, "haproxy.cfg");
  const [one, two] = ports;
  const text = (await readFile(BALANCER_FILE, "utf8"))
    .replace("bind :80", `bind 127.0.0.1:${port}`)
    .replaceAll("10.0.0.11:3000", `127.0.0.1:${one}`)
    .replaceAll("10.0.0.12:3000", `127.0.0.1:${two}`);
  await writeFile(file, text);
  const child = spawn("haproxy", ["-db", "-q", "-f", file], { stdio: "ignore", env });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  };
  if (!(await untilListening(port, child))) {
    const faults = faultsOfBalancer(file);
    await stop();
    throw new Error(`HAProxy does not start: ${faults}`);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** PgBouncer's settings beside those that every test needs. */
export type PoolerSettings = Record<string, string | number>;

// Debian has it where only administrators look for programs.
const [, version] =
  /PgBouncer 1\.(\d+)/.exec(String(spawnSync("pgbouncer", ["--version"], { env }).stdout)) ?? [];

export const HAS_POOLER = version !== undefined;

/** Whether it can keep prepared statements when clients take turns after each transaction. */
export const KEEPS_STATEMENTS = Number(version) >= 21;

/** Starts a PgBouncer in front of a database of the test server, as the program's role unless another is given. */
export async function startPooler(
  database: string,
  settings: PoolerSettings,
  server = connectionTo(database),
) {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "inkstone-pooler-"));
  await chmod(folder, 0o755);
  const file = join(folder, "pgbouncer.ini");
  const lines = Object.entries({
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    ignore_startup_parameters: "statement_timeout",
    // Fewer than the clients have connections, so that they take turns.
    default_pool_size: 2,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  await writeFile(
    file,
    ["[databases]", `${database} = ${targetOf(server)}`, "[pgbouncer]", ...lines].join("\n"),
  );
  const child = spawn("pgbouncer", [file], { stdio: "ignore", env, ...ownerOf(server) });
  const ended = once(child, "close");
  if (!(await untilListening(port, child))) throw new Error("PgBouncer does not start.");
  return {
    url: `postgres://inkstone@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function targetOf({ connectionString, ...config }: pg.PoolConfig): string {
  const url = connectionString === undefined ? undefined : new URL(connectionString);
  const parts = {
    host: url?.hostname ?? config.host,
    port: url?.port || config.port || 5_432,
    dbname: url?.pathname.slice(1) ?? config.database,
    user: url ? decodeURIComponent(url.username) : config.user,
    password: url ? decodeURIComponent(url.password) : "",
  };
  return Object.entries(parts)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}='${value}'`)
    .join(" ");
}

/** PgBouncer doesn't run as root, and the socket of the embedded PostgreSQL lets its owner in alone. */
function ownerOf({ host, port }: pg.PoolConfig): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  if (host?.startsWith("/")) {
    const { uid, gid } = statSync(`${host}/.s.PGSQL.${port}`);
    return { uid, gid };
  }
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"]));
  return { uid: id("-u"), gid: id("-g") };
}
