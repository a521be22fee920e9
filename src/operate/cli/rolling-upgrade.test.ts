import { execFile } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import { nextVersion, type ServerProcess, startServerProcess } from "../../../test/servers.ts";
import { ownerTo } from "../../../test/database.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";

const site = programForAll();
const running: ServerProcess[] = [];
let next: Awaited<ReturnType<typeof nextVersion>>;
let key: string;
beforeAll(async () => {
  next = await nextVersion();
  const named = ["--username", "ada", "--name", "Ada", "--with-key", "--json"];
  const { out } = await site.inkstone(["user", "create", ...named]);
  key = (JSON.parse(out) as { api_key: string }).api_key;
});
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill()));
  await next.remove();
});

async function start(program?: string): Promise<ServerProcess> {
  const env = { RATE_LIMITS: "off", DRAIN_SECONDS: "3" };
  const server = await startServerProcess(urlOf(site.database.name), env, [], program);
  running.push(server);
  return server;
}

/** Reads and writes at the servers in turn, as through a load balancer, until it is stopped. */
function sendRequests(servers: Set<ServerProcess>) {
  const failures: string[] = [];
  const answered = new Map<ServerProcess, number>();
  const stopping = new AbortController();
  const client = async (number: number) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const all = [...servers];
      const server = all[turn % all.length] as ServerProcess;
      const title = `Wool ${number} ${turn}`;
      const sent =
        turn % 3 === 0
          ? server.request("/api/articles", {
              method: "POST",
              key,
              body: { article: { title, body_markdown: "" } },
            })
          : server.request(`/api/articles?per_page=${1 + (turn % 60)}&page=${number + 1}`);
      const { status, text } = await sent.catch((error: unknown) => ({ status: 0, text: String(error) }));
      if (status === 200 || status === 201) answered.set(server, (answered.get(server) ?? 0) + 1);
      else failures.push(`${status} ${text}`);
      // Without a pause they would take the processor from the servers.
      await sleep(25);
    }
  };
  const clients = [0, 1].map(client);
  return {
    failures,
    /** Waits until a server has answered many more requests. */
    async hear(server: ServerProcess): Promise<void> {
      const before = answered.get(server) ?? 0;
      await expect.poll(() => answered.get(server) ?? 0).toBeGreaterThan(before + 30);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

const readiness = async (server: ServerProcess) => (await server.request("/readyz")).status;

/** As a load balancer does: a server that isn't ready gets no requests any more. */
async function take(servers: Set<ServerProcess>, server: ServerProcess): Promise<void> {
  const ended = once(server.child, "exit");
  server.child.kill("SIGTERM");
  await expect.poll(() => readiness(server)).toBe(503);
  expect((await server.request("/api/articles?per_page=7")).status).toBe(200);
  servers.delete(server);
  expect(await ended).toEqual([0, null]);
}

/** Two programs and three servers take the processors for half a minute. */
const LONG = { skip: !IS_LONG };

test("a version is rolled out and back beside the one before, without a failed request", LONG, async () => {
  const old = await start();
  const servers = new Set([old]);
  const requests = sendRequests(servers);
  await requests.hear(old);

  const migrated = await promisify(execFile)(process.execPath, [next.program, "migrate", "--json"], {
    cwd: site.folder,
    env: { DATABASE_URL: urlOf(site.database.name), DATABASE_OWNER_URL: ownerUrl() },
  });
  expect(JSON.parse(migrated.stdout)).toEqual({ ran: [next.migration] });
  expect(await readiness(old)).toBe(200);

  const newer = await start(next.program);
  servers.add(newer);
  await requests.hear(old);
  await requests.hear(newer);
  expect([await readiness(old), await readiness(newer)]).toEqual([200, 200]);
  await take(servers, old);
  await requests.hear(newer);

  const again = await start();
  servers.add(again);
  await requests.hear(again);
  await take(servers, newer);
  await requests.hear(again);
  expect(await readiness(again)).toBe(200);
  await requests.stop();
  expect([...new Set(requests.failures)]).toEqual([]);
});

const ownerUrl = () => urlOf(site.database.name, ownerTo(site.database.name));
