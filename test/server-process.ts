import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { builtProgram } from "./build.ts";
import { freePort } from "./free-port.ts";
import { PATIENCE_MS } from "./patience.ts";

/** `inkstone serve` as a process of its own. */
export interface ServerProcess {
  child: ChildProcess;
  /** Where it was started. */
  folder: string;
  origin: string;
  request: (path: string, call?: Call) => Promise<Answer>;
  /** Everything it has written. */
  output: () => string;
  /** Ends it without warning, unless it has ended. */
  kill: () => Promise<void>;
}

interface Call {
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
    request: (path, call) => send(origin + path, call),
    async kill() {
      child.kill("SIGKILL");
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function send(url: string, { method = "GET", key, headers = {}, body }: Call = {}): Promise<Answer> {
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
