import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "../test/waiting.ts";

// Stops a server with SIGTERM in the middle of requests, again and again: each request must get its response, or find that
// the server no longer listens. Run it beside other work, such as `stress-ng --cpu 4`.

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "100" }, clients: { type: "string", default: "10" } },
});
const [rounds, clients] = [Number(values.rounds), Number(values.clients)];
const PROGRAM = join(import.meta.dirname, "..", "bin", "inkstone.js");

const dataDir = mkdtempSync(join(tmpdir(), "inkstone-stops-"));
const faults: string[] = [];
let responses = 0;
try {
  for (let round = 1; round <= rounds; round++) {
    const before = faults.length;
    await runRound();
    console.log(`${round}/${rounds}: ${faults.slice(before).join(", ") || "no request was lost"}`);
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`${faults.length} requests were lost in ${rounds} rounds with ${responses} responses.`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function runRound(): Promise<void> {
  const port = await freePort();
  const server = spawn(process.execPath, [PROGRAM, "serve"], {
    cwd: tmpdir(),
    env: { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "fatal", RATE_LIMITS: "off" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(server, "exit");
  await ready(port, server);
  // Half of the clients keep their connection, the others open one for each request.
  const asking = Array.from({ length: clients }, (_, index) => keepAsking(port, index % 2 === 0));
  await sleep(300 + Math.random() * 500);
  server.kill("SIGTERM");
  await Promise.all([...asking, ended]);
}

async function ready(port: number, server: ChildProcess): Promise<void> {
  while ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status !== 200) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    await sleep(100);
  }
}

async function keepAsking(port: number, keepAlive: boolean): Promise<void> {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  for (let count = 0; ; count++) {
    const path = `/api/articles?per_page=${1 + (count % 100)}`;
    try {
      const [response] = (await once(get({ port, path, agent }), "response")) as [IncomingMessage];
      await once(response.resume(), "end");
      responses++;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "ECONNREFUSED") faults.push(`${keepAlive ? "kept" : "new"} connection: ${message}`);
      agent.destroy();
      return;
    }
    await sleep(Math.random() * 20);
  }
}
