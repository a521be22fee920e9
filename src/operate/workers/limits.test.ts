import { afterEach, expect, test } from "vitest";
import { programForAll, urlOf } from "../../../test/commands.ts";
import { answering, hasWorkers, type ServerProcess, startServerProcess } from "../../../test/servers.ts";
import { set } from "../../platform/settings/settings.ts";

const site = programForAll();
let server: ServerProcess | undefined;
afterEach(() => server?.kill());

test("two workers let the allowance of an address pass at most twice", async () => {
  const { db } = site.database;
  await set(db, "read_burst", "40");
  await set(db, "read_rate", "1");
  server = await startServerProcess(urlOf(site.database.name), {}, ["--workers", "2"]);
  await hasWorkers(server, { web: 2 });
  const { request } = server;
  const startedAt = performance.now();
  const ask = async () => {
    const { status } = await request("/api/articles", { headers: { connection: "close" } });
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 150 }, ask));
  const ranIn = (performance.now() - startedAt) / 1_000;
  expect(answering(server).size).toBe(2);
  const passed = statuses.filter((status) => status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(40);
  expect(passed).toBeLessThanOrEqual(2 * (40 + ranIn));
  expect(statuses.filter((status) => status === 429)).toHaveLength(150 - passed);
});
