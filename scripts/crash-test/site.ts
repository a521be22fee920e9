import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { readPidFile } from "../../src/platform/db/embedded/processes.ts";

/** One site as an operator sees it: a program, a data directory and a port. */
export interface Site {
  program: string[];
  dataDir: string;
  port: number;
}

export async function newSite(program: string[]): Promise<Site> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  return { program, port, dataDir: join(tmpdir(), `inkstone-crash-${randomUUID().slice(0, 8)}`) };
}

export function run({ program, dataDir, port }: Site, ...args: string[]): ChildProcess {
  const [command = "", ...before] = program;
  const { DATABASE_URL: _, ...inherited } = process.env;
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
    ALLOW_PRIVATE_NETWORK: "true",
  };
  return spawn(command, [...before, ...args], {
    env: { ...inherited, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a command to its end. It succeeded only if its exit code says so. */
export async function finish(child: ChildProcess): Promise<{ succeeded: boolean; output: string }> {
  const exit = once(child, "exit") as Promise<[number | null]>;
  const outputs = [child.stdout, child.stderr].map(async (stream) => (stream ? text(stream) : ""));
  const output = (await Promise.all(outputs)).join("").trim();
  const [code] = await exit;
  return { succeeded: code === 0, output };
}

/** Starts a server and says how many milliseconds it took until it was ready. */
export async function serve(site: Site): Promise<{ server: ChildProcess; milliseconds: number }> {
  const startedAt = performance.now();
  const server = run(site, "serve");
  let said = "";
  for (const stream of [server.stdout, server.stderr])
    stream?.on("data", (chunk: Buffer) => (said += String(chunk)));
  const ended = once(server, "exit").then(() => {
    throw new Error(`the server ended: ${said.trim()}`);
  });
  ended.catch(() => {});
  await Promise.race([untilReady(site, 60_000), ended]);
  return { server, milliseconds: performance.now() - startedAt };
}

export async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  server.kill("SIGTERM");
  await exit;
}

/** Waits until the site answers that it is ready. */
export async function untilReady({ port }: Site, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await isReady(port))) {
    if (performance.now() > deadline) throw new Error(`not ready within ${milliseconds} ms`);
    await sleep(20);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** The cluster's real directory: DATA_DIR may only hold a link to it. */
export function clusterOf({ dataDir }: Site): string {
  return realpathSync(join(dataDir, "postgres"));
}

export function connectionTo(site: Site): ClientConfig {
  const pidFile = readPidFile(clusterOf(site));
  if (!pidFile?.ready) throw new Error("no PostgreSQL is running");
  return { host: pidFile.socketDir, port: pidFile.port, user: "inkstone", database: "inkstone" };
}

/** The process that runs the engine. */
export function ownerOf(site: Site): number {
  const home = dirname(clusterOf(site));
  const [lock] = readdirSync(home).filter((name) => /^engine\.lock\.\d+$/.test(name));
  return (JSON.parse(readFileSync(join(home, String(lock)), "utf8")) as { pid: number }).pid;
}
