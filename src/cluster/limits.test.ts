import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { programForAll, urlOf } from "../../test/program.ts";
import { type ServerProcess, startServerProcess } from "../../test/server-process.ts";
import { until } from "../../test/until.ts";
import { answering, hasWorkers } from "../../test/worker-processes.ts";
import { set } from "../settings/settings.ts";

const site = programForAll();
let server: ServerProcess | undefined;
afterEach(() => server?.kill());

async function serveTwo(env: Record<string, string> = {}): Promise<ServerProcess> {
  server = await startServerProcess(urlOf(site.database.name), env, ["--workers", "2"]);
  await hasWorkers(server, { web: 2 });
  return server;
}

test("two workers let the allowance of an address pass once", async () => {
  const { db } = site.database;
  await set(db, "read_burst", "40");
  await set(db, "read_rate", "1");
  const { request, output } = await serveTwo();
  const startedAt = performance.now();
  const ask = async () => {
    const { status } = await request("/api/articles", { headers: { connection: "close" } });
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 100 }, ask));
  const ranIn = (performance.now() - startedAt) / 1_000;
  expect(answering({ output } as ServerProcess).size).toBe(2);
  const passed = statuses.filter((status) => status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(40);
  expect(passed).toBeLessThanOrEqual(40 + ranIn);
  expect(statuses.filter((status) => status === 429)).toHaveLength(100 - passed);
});

test("two workers share the connections that a client may have, and those of one that is killed are free again", async () => {
  const { output, child, ...rest } = await serveTwo({
    MAX_CONNECTIONS_PER_ADDRESS: "10",
    RATE_LIMITS: "off",
  });
  const port = Number(/"local":"[^"]*:(\d+)|localhost:(\d+)/.exec(output())?.slice(1).find(Boolean));
  const sockets: Socket[] = [];
  const statusOf = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
    socket.write("GET /api/articles HTTP/1.1\r\nHost: x\r\n\r\n");
    return Promise.race([
      once(socket, "data").then(
        ([text]) => String(text).slice(9, 12),
        () => "reset",
      ),
      once(socket, "close").then(() => "reset"),
    ]);
  };
  const statuses: string[] = [];
  for (let index = 0; index < 12; index++) statuses.push(await statusOf());
  const opened = statuses.filter((status) => status === "200").length;
  expect(opened).toBeLessThanOrEqual(10);
  // Each worker has five, and the connections in turn.
  expect(opened).toBeGreaterThanOrEqual(8);
  const both = answering({ output, child, ...rest });
  expect(both.size).toBe(2);
  process.kill([...both][0] as number, "SIGKILL");
  await until(async () => (await statusOf()) === "200");
  for (const socket of sockets) socket.destroy();
});
