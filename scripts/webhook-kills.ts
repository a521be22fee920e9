import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { freePort } from "../test/waiting.ts";

// Kills a server in the middle of a delivery, again and again, on a PostgreSQL that lives on: the same delivery must go out
// again within a minute of the kill. Lanes are sites of their own, so that they wait for their leases at the same time.

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    lanes: { type: "string", default: "5" },
    database: { type: "string" },
  },
});
const [rounds, lanes] = [Number(values.rounds), Number(values.lanes)];
const { database } = values;
if (!Number.isInteger(rounds / lanes) || rounds < 1) throw new Error("--rounds is a multiple of --lanes.");
if (database === undefined)
  throw new Error("--database is the address of a PostgreSQL in which databases may be made.");

const PROGRAM = join(import.meta.dirname, "..", "bin", "inkstone.js");
const LATEST_SECONDS = 60;

const admin = new pg.Pool({ connectionString: database });
// All of them to their end, so that none leaves a server or a database behind when another fails.
const outcomes = await Promise.allSettled(Array.from({ length: lanes }, () => runLane(rounds / lanes)));
await admin.end();
for (const outcome of outcomes) if (outcome.status === "rejected") console.error(outcome.reason);
const seconds = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
const sorted = seconds.toSorted((one, other) => one - other);
const late = seconds.filter((one) => one > LATEST_SECONDS);
console.log(
  `${seconds.length - late.length} of ${rounds} went out again within ${LATEST_SECONDS} s of the kill: after ${sorted[0]?.toFixed(1)} to ${sorted.at(-1)?.toFixed(1)} s`,
);
process.exitCode = late.length === 0 && seconds.length === rounds ? 0 : 1;

/** How many seconds after each kill the delivery went out again. */
async function runLane(count: number): Promise<number[]> {
  const name = `inkstone_kills_${randomUUID().slice(0, 8)}`;
  await admin.query(`create database ${name}`);
  const url = new URL(database as string);
  url.pathname = `/${name}`;
  const dataDir = mkdtempSync(join(tmpdir(), "inkstone-kills-"));
  const receiver = await startReceiver();
  const waited: number[] = [];
  let server: ReturnType<typeof spawn> | undefined;
  try {
    const site = await newSite(url.href, dataDir);
    server = await site.serve();
    await site.publish(receiver.url);
    const id = await receiver.next();
    for (let round = 1; round <= count; round++) {
      // Not always at the same moment of the attempt.
      await sleep(Math.random() * 500);
      await kill(server);
      const killedAt = performance.now();
      server = await site.serve();
      const again = await Promise.race([receiver.next(), sleep(2 * LATEST_SECONDS * 1_000)]);
      if (again !== id) throw new Error(`${String(again)} came instead of ${id}.`);
      waited.push((performance.now() - killedAt) / 1_000);
      console.log(`${name}: ${round}/${count}, again after ${waited.at(-1)?.toFixed(1)} s`);
    }
  } finally {
    if (server) await kill(server);
    receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
    await admin.query(`drop database ${name} with (force)`);
  }
  return waited;
}

/** Takes requests, never answers them, and gives the `webhook-id` of each. */
async function startReceiver() {
  const waiting: string[] = [];
  let arrived: (() => void) | undefined;
  const server = createServer((request) => {
    waiting.push(String(request.headers["webhook-id"]));
    arrived?.();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async next(): Promise<string> {
      while (waiting.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
      return waiting.shift() as string;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function newSite(databaseUrl: string, dataDir: string) {
  const port = await freePort();
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: "info",
    ALLOW_PRIVATE_NETWORK: "true",
  };
  const run = (...args: string[]) =>
    spawn(process.execPath, [PROGRAM, ...args], {
      cwd: tmpdir(),
      env: settings,
      stdio: ["ignore", "pipe", "inherit"],
    });

  async function print(...args: string[]): Promise<Record<string, unknown>> {
    return JSON.parse(await text(run(...args, "--json").stdout)) as Record<string, unknown>;
  }

  return {
    async serve() {
      const child = run("serve");
      let said = "";
      const isReady = new Promise<void>((resolve) => {
        child.stdout.on("data", (chunk: Buffer) => {
          said += String(chunk);
          if (said.includes("Inkstone is ready.")) resolve();
        });
      });
      const ended = once(child, "exit").then(() => Promise.reject(new Error(`The server ended: ${said}`)));
      ended.catch(() => {});
      await Promise.race([isReady, ended]).catch(async (error: unknown) => {
        await kill(child);
        throw error;
      });
      return child;
    },
    /** Creates an author with an article and an endpoint. */
    async publish(targetUrl: string) {
      const { api_key } = await print("user", "create", "--username", "ada", "--name", "Ada", "--with-key");
      const post = (path: string, body: object) =>
        send(`http://127.0.0.1:${port}${path}`, String(api_key), body);
      const wanted = { source: "Kills", target_url: targetUrl, events: ["article_published"] };
      await post("/api/webhooks", { webhook_endpoint: wanted });
      const article = { title: "Looms", body_markdown: "Words.", published: true };
      await post("/api/articles", { article });
    },
  };
}

async function send(url: string, key: string, body: object): Promise<void> {
  const headers = { "api-key": key, "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(await answer.text());
}

async function kill(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
