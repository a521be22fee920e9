import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { builtProgram, IS_LONG } from "../../../test/setup.ts";
import { freePort, until } from "../../../test/waiting.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";
import {
  answering,
  hasWorkers,
  keepAsking,
  type ServerProcess,
  startServerProcess,
  workersOf,
} from "../../../test/servers.ts";
import { exists, postgresProcesses } from "../../platform/db/embedded/processes.ts";

const site = programForAll();
const started: ServerProcess[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
});

const start = (env: Record<string, string> = {}) =>
  startServerProcess(urlOf(site.database.name), { RATE_LIMITS: "off", ...env }, ["--workers", "2"]);

/** A server of a test alone. */
async function serve(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await start(env);
  started.push(server);
  return server;
}

const portOf = ({ output }: ServerProcess) =>
  Number(/"(?:listening_on|site)":"http:\/\/localhost:(\d+)/.exec(output())?.[1]);

const statusOf = (server: ServerProcess) =>
  server.request("/api/tags", { headers: { connection: "close" } }).then(
    ({ status }) => status,
    (error: Error) => (error.cause as NodeJS.ErrnoException).code,
  );

/** Sends a form with a field twice, but for its last byte, to a worker that waits for it. */
async function beginForm(port: number) {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const head = [
    "POST /signin HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nExpect: 100-continue",
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\n",
  ];
  socket.write(head.join("\r\n"));
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 100 /);
  socket.write("a=1&a=");
  return {
    async finish() {
      const answer = once(socket, "data");
      socket.write("2");
      return String((await answer)[0]);
    },
  };
}

const end = async ({ child }: ServerProcess, signal: NodeJS.Signals = "SIGTERM") => {
  const exit = once(child, "exit");
  child.kill(signal);
  return exit;
};

/** Ends a server with two workers, whose processes of these roles get a SIGTERM too, while both have requests. */
async function expectFinished(server: ServerProcess, roles: readonly ("web" | "jobs")[]): Promise<void> {
  const asked = await Promise.all(Array.from({ length: 8 }, () => beginForm(portOf(server))));
  const workers = workersOf(server);
  const pids = roles.flatMap((role) => workersOf(server, role));
  const said = server.output().length;
  const ended = end(server);
  for (const pid of pids) process.kill(pid, "SIGTERM");
  await until(() => server.output().includes("SIGTERM: stopping"));
  await until(async () => (await statusOf(server)) === "ECONNREFUSED");
  for (const form of asked) expect(await form.finish()).toMatch(/^HTTP\/1\.1 422 /);
  expect(await ended).toEqual([0, null]);
  expect(workers.filter(exists)).toEqual([]);
  expect(answering(server, "/signin").size).toBe(2);
  expect(server.output().slice(said)).not.toContain("another one is started");
}

describe("a server with two workers", () => {
  let server: ServerProcess;
  let answers: Map<number | string, number>;
  beforeAll(async () => {
    server = await start();
    await hasWorkers(server, { web: 2 });
    const asking = keepAsking(server, "/api/articles");
    await until(() => answering(server).size === 2);
    answers = await asking.stop();
  });
  afterAll(() => server.kill());

  test("says once that it is ready, and answers by both", () => {
    expect([...answers.keys()]).toEqual([200]);
    expect(answering(server)).toEqual(new Set(workersOf(server, "web")));
    expect(server.output().match(/Inkstone is ready\./g)).toHaveLength(1);
  });

  test("adds up the metrics of its processes, whichever is asked", async () => {
    for (let times = 0; times < 4; times++) {
      const { text } = await server.request("/metrics", { headers: { connection: "close" } });
      for (const [role, count] of Object.entries({ parent: 1, web: 2, jobs: 1 }))
        expect(text).toContain(`inkstone_processes{role="${role}"} ${count}\n`);
      expect(text).toContain(`{operation="listArticles",status="200"} ${answers.get(200)}\n`);
      expect(text).toMatch(/^inkstone_database_up 1$/m);
      expect(text).toMatch(/^inkstone_build_info\{version="[\d.]+"\} 1$/m);
    }
  });

  test.runIf(IS_LONG)("has one sentence for a port in use", async () => {
    const { code, err } = await site.inkstone(["serve", "--workers", "2"], {
      env: { PORT: String(portOf(server)) },
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^inkstone: Port \d+ of 127\.0\.0\.1 is in use: [^\n]+\n$/);
  });

  test("says once that its connections are too many for the database, and starts no other worker", async () => {
    const env = { DATABASE_POOL_SIZE: "200", PORT: String(await freePort()) };
    const { code, out, err } = await site.inkstone(["serve", "--workers", "2"], { env });
    expect(code).toBe(1);
    expect(err).toMatch(/^inkstone: WORKERS and DATABASE_POOL_SIZE make 925 connections, and [^\n]+\n$/);
    expect(out).not.toMatch(/another one is started|can't start/);
  });

  test("replaces a killed one while the other answers", async () => {
    const asking = keepAsking(server, "/api/tags", 8);
    await until(() => answering(server, "/api/tags").size === 2);
    const [killed = 0] = workersOf(server, "web");
    process.kill(killed, "SIGKILL");
    await until(() => !exists(killed));
    await hasWorkers(server, { web: 2 });
    await until(() => answering(server, "/api/tags").size === 3);
    // One connection may have been on its way to the killed one, and has no end.
    const { 200: answered = 0, ...failures } = Object.fromEntries(await asking.stop(5_000));
    expect(answered).toBeGreaterThan(8);
    expect(asking.open()).toBeLessThanOrEqual(1);
    // At most those that were with the killed one.
    expect(Object.values(failures).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(8);
    expect(server.output()).toContain(`The web worker with the pid ${killed} has ended (SIGKILL)`);
  });

  test("replaces its workers at SIGHUP without a failed request, unless a new one can't start", async () => {
    const old = workersOf(server);
    const asking = keepAsking(server, "/api/articles");
    const newer = { name: "9999.sql", checksum: "x", kind: "contract" };
    const { superuser } = site.database;
    await superuser.insertInto("schema_migrations").values(newer).execute();
    server.child.kill("SIGHUP");
    const failure = "The new worker can't start, so the old ones stay: The database's schema is newer";
    await until(() => server.output().includes(failure));
    expect(workersOf(server)).toEqual(old);
    await superuser.deleteFrom("schema_migrations").where("name", "=", newer.name).execute();
    server.child.kill("SIGHUP");
    await until(() => server.output().includes("The workers are replaced."));
    await hasWorkers(server, { web: 2 });
    const replaced = workersOf(server, "web");
    await until(() => replaced.every((pid) => answering(server).has(pid)));
    expect([...(await asking.stop()).keys()]).toEqual([200]);
    expect(workersOf(server).filter((pid) => old.includes(pid))).toEqual([]);
  });

  test("counts each view, whichever answers, and at a SIGTERM finishes the requests that it has and ends with 0", async () => {
    const { db } = site.database;
    const { out } = await site.inkstone([
      "user",
      "create",
      "--username",
      "ada",
      "--name",
      "Ada",
      "--with-key",
      "--json",
    ]);
    const { api_key: key } = JSON.parse(out) as { api_key: string };
    const body = { article: { title: "Seen", body_markdown: "By many.", published: true } };
    const made = await server.request("/api/articles", { method: "POST", key, body });
    const { id } = JSON.parse(made.text) as { id: number };
    const views = async () => {
      const rows = await db.selectFrom("page_views").select("views").where("article_id", "=", id).execute();
      return rows.reduce((sum, row) => sum + Number(row.views), 0);
    };
    let readers = 0;
    const isRead = () => answering(server, `/api/articles/${id}`).size === 2 && readers >= 20;
    while (!isRead()) {
      const headers = { "user-agent": `Mozilla/5.0 reader ${++readers}`, connection: "close" };
      expect((await server.request(`/api/articles/${id}`, { headers })).status).toBe(200);
    }
    await until(async () => (await views()) === readers);
    // Those of the last two seconds are written at the end.
    await server.request(`/api/articles/${id}`, {
      headers: { "user-agent": `Mozilla/5.0 reader ${readers + 1}` },
    });
    await expectFinished(server, []);
    expect(await views()).toBe(readers + 1);
  });
});

describe("a server with two workers, when it is stopped,", () => {
  test.runIf(IS_LONG)(
    "by a SIGTERM to all its processes, finishes the requests that it has and ends with 0",
    async () => {
      const own = await serve();
      await hasWorkers(own, { web: 2 });
      expect(workersOf(own, "jobs")).toHaveLength(1);
      await expectFinished(own, ["web", "jobs"]);
    },
  );

  test.runIf(IS_LONG)("stops at a signal while it waits for its database", async () => {
    const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", PORT: String(await freePort()) };
    const child = spawn(process.execPath, [builtProgram(), "serve", "--workers", "2"], {
      cwd: site.folder,
      env: { ...env, DATA_DIR: site.folder },
    });
    const exit = once(child, "exit");
    let said = "";
    child.stdout.on("data", (text: Buffer) => (said += String(text)));
    await until(() => said.includes("The database can't be reached"));
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });
});

test.runIf(IS_LONG && process.platform === "linux")(
  "a killed parent leaves no worker and no PostgreSQL",
  async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), "inkstone-parent-"));
    await chmod(DATA_DIR, 0o755);
    try {
      const server = await serve({ DATABASE_URL: "", DATA_DIR });
      const cluster = join(DATA_DIR, "postgres");
      await hasWorkers({ ...server, folder: DATA_DIR }, { web: 2 });
      const workers = workersOf({ ...server, folder: DATA_DIR });
      expect(postgresProcesses(cluster).length).toBeGreaterThan(1);
      expect((await server.request("/readyz")).status).toBe(200);
      server.child.kill("SIGKILL");
      await until(() => workers.filter(exists).length === 0 && postgresProcesses(cluster).length === 0);
    } finally {
      await rm(DATA_DIR, { recursive: true, force: true });
    }
  },
);
