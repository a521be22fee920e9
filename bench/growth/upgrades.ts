import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HAS_BALANCER, startBalancer } from "../../test/between.ts";
import { freePort } from "../../test/waiting.ts";
import { nextVersion } from "../../test/servers.ts";
import { closing, type Later, say } from "../kit.ts";
import { percentiles } from "../measure/percentiles.ts";
import { workersOf } from "../measure/processes.ts";
import { OURS, type Program, type Server, type Serving } from "../measure/program.ts";
import { clientOf, createArticles, keepAsking } from "./clients.ts";
import { type Finding, found, unmeasured } from "./finding.ts";
import type { Rig } from "./rig.ts";

/** The version after this one, as the tests make it, with a migration more. */
async function nextProgram(later: Later, migration?: string): Promise<Program> {
  const { program, remove } = await nextVersion(join(OURS.root, "dist"));
  later(remove);
  const dist = dirname(program);
  const root = dirname(dist);
  await cp(join(OURS.root, "bin"), join(root, "bin"), { recursive: true });
  if (migration !== undefined)
    await writeFile(join(dist, "platform/db/migrations/9999-growth.sql"), `-- expand\n\n${migration}\n`);
  return { root };
}

const AUTHORS = 32;

/** Sends reads and writes at an even pace. The writes are of many authors, because those of one wait for each other. */
async function startLoad(
  rig: Rig,
  server: Server,
  { perSecond, writes }: { perSecond: number; writes: number },
) {
  const client = clientOf(server.baseUrl, 64);
  const articles: { path: string; key: string }[] = [];
  for (let author = 0; author < AUTHORS; author += 1) {
    const username = `load_${Date.now() % 1e9}`;
    const { ids, key } = await createArticles(rig, server, username, 1);
    articles.push(...ids.map((id) => ({ path: `/api/articles/${id}`, key })));
  }
  const asking = await keepAsking({ clients: 64, perSecond }, (turn) => {
    const { path, key } = articles[(turn + Math.floor(turn / 10)) % articles.length] as (typeof articles)[0];
    if (turn % 10 >= writes) return client.ask(turn % 3 === 0 ? "/api/articles?per_page=30" : path);
    const headers = { "api-key": key, "content-type": "application/json" };
    const article = { description: `Version ${turn}` };
    return client.ask(path, [200], { method: "PUT", headers }, { article });
  });
  return async () => {
    const asked = await asking.end();
    client.close();
    return asked;
  };
}

const PER_SECOND = 200;

/** Stops, replacements and upgrades of servers behind HAProxy. */
export function measureUpgrades(rig: Rig): Promise<Finding[]> {
  const name = `SIGTERM, SIGHUP, upgrade and back of two servers behind HAProxy, ${rig.effort.rounds} rounds`;
  if (!HAS_BALANCER) return Promise.resolve([unmeasured(name, "needs haproxy")]);
  return closing(async (later) => {
    const next = await nextProgram(later);
    const ports = [await freePort(), await freePort()] as const;
    let program: Program = OURS;
    const start = (port: number) =>
      rig.start(
        later,
        { PORT: String(port), WORKERS: "2", DRAIN_SECONDS: "3", TRUST_PROXY: "127.0.0.1" },
        program,
      );
    const servers = [await start(ports[0]), await start(ports[1])];
    const balancer = await startBalancer(ports);
    later(balancer.stop);
    const endLoad = await startLoad(
      rig,
      { baseUrl: balancer.url, pid: NaN },
      { perSecond: PER_SECOND, writes: 1 },
    );
    const restart = async (place: number) => {
      await servers[place]?.stop();
      servers[place] = await start(ports[place] as number);
    };
    const kinds: [string, (place: number) => Promise<void>][] = [
      ["SIGTERM", restart],
      ["SIGHUP", (place) => replaceWorkers(servers[place] as Serving)],
      ["Upgrade", restart],
      ["Back", restart],
    ];
    for (let round = 0; round < rig.effort.rounds; round += 1) {
      const [kind, work] = kinds[round % kinds.length] as (typeof kinds)[0];
      say(`${kind}, round ${round + 1}`);
      if (kind === "Upgrade") await rig.migrate(next);
      program = kind === "Upgrade" ? next : OURS;
      for (const place of servers.keys()) await work(place);
    }
    const { failures, milliseconds } = await endLoad();
    const from = `${milliseconds.length} requests${failures.length > 0 ? `, such as ${failures[0]}` : ""}`;
    return [found(`${name}: failed requests`, { value: failures.length, unit: "requests", atMost: 0, from })];
  });
}

const PATIENCE_MS = 60_000;

async function replaceWorkers({ pid }: Serving): Promise<void> {
  const before = new Set(workersOf(pid).map((worker) => worker.pid));
  const deadline = performance.now() + PATIENCE_MS;
  process.kill(pid, "SIGHUP");
  for (;;) {
    await sleep(100);
    const now = workersOf(pid);
    if (now.length >= before.size && !now.some((worker) => before.has(worker.pid))) return;
    if (performance.now() > deadline) throw new Error("The workers are not replaced.");
  }
}

/** An index on a large table, beside reads and writes that change it too. */
export function measureMigration(rig: Rig): Promise<Finding[]> {
  return closing(async (later) => {
    const { rows } = rig.effort;
    const next = await nextProgram(
      later,
      "create index concurrently if not exists growth on recent_actions (done_at, action);",
    );
    await rig.execute(`insert into recent_actions (user_id, action, done_at)
      select (select min(id) from users), 'growth', now() + interval '1 day' from generate_series(1, ${rows})`);
    later(() => rig.execute("delete from recent_actions where action = 'growth'"));
    // What making the rows leaves to write is no part of the migration.
    await rig.execute("checkpoint");
    const server = await rig.serve(later);
    const endLoad = await startLoad(rig, server, { perSecond: 100, writes: 5 });
    await rig.migrate(next);
    const { failures, milliseconds } = await endLoad();
    const name = `An expanding migration with an index on ${rows} rows, beside 100 reads and writes a second`;
    const from = `${milliseconds.length} requests${failures.length > 0 ? `, such as ${failures[0]}` : ""}`;
    return [
      found(`${name}: failures`, { value: failures.length, unit: "requests", atMost: 0, from }),
      found("… p99", { value: percentiles(milliseconds).p99 / 1_000, unit: "s", atMost: 1 }),
    ];
  });
}
