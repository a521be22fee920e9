import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { IS_LONG } from "../../../test/setup.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";
import { type ServerProcess, startServerProcess } from "../../../test/servers.ts";
import { type Standby, type Standbys, startStandbys } from "../../../test/standbys.ts";
import { until } from "../../../test/waiting.ts";
import { serverOf } from "../../platform/db/replica.ts";
import type { Finding } from "../health/finding.ts";

const site = programForAll();
let servers: Standbys;
let replica: Standby;
let server: ServerProcess | undefined;
beforeAll(async () => {
  servers = await startStandbys({ count: 1 });
  [replica] = servers.standbys as [Standby];
});
afterEach(() => server?.kill());
afterAll(() => servers.stop());

const ABSENT = "postgres://inkstone:hunter2@127.0.0.1:1/ink";

test.runIf(IS_LONG)(
  "a server reads from its replica, names those that it leaves out, and shows no password",
  async () => {
    const foreign = urlOf(site.database.name);
    const DATABASE_REPLICA_URLS = [replica.url, foreign, ABSENT].join();
    server = await startServerProcess(servers.primary.url, { DATABASE_REPLICA_URLS });
    const { request, output } = server;
    const metric = async (name: string, url: string) => {
      const { text } = await request("/metrics");
      const lines = text.split("\n").filter((line) => line.startsWith(`inkstone_replica_${name}{`));
      return Number(lines.find((line) => line.includes(`"${serverOf(url)}"`))?.split(" ")[1]);
    };
    let page = 1;
    await until(async () => {
      await request(`/api/articles?per_page=${(page++ % 900) + 1}`);
      return (await metric("reads_total", replica.url)) > 0;
    });
    expect(await metric("usable", replica.url)).toBe(1);
    expect(await metric("lag_seconds", replica.url)).toBeLessThan(60);
    for (const other of [foreign, ABSENT]) {
      expect(await metric("usable", other)).toBe(0);
      expect(await metric("reads_total", other)).toBe(0);
    }
    expect(output()).toContain(`${serverOf(foreign)} is left out: it is no standby of the database`);
    expect(output()).toContain(`${serverOf(ABSENT)} is left out: it can't be reached`);
    expect(output()).not.toContain("hunter2");
    const notes = join(server.folder, "servers");
    for (const name of await readdir(notes))
      expect(await readFile(join(notes, name), "utf8")).not.toContain("hunter2");
  },
);

test.runIf(IS_LONG)("inkstone doctor names each replica with its lag", async () => {
  const foreign = urlOf(site.database.name);
  const examine = async () => {
    const DATABASE_REPLICA_URLS = [replica.url, foreign, ABSENT].join();
    const env = { DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URLS };
    const { out, err } = await site.inkstone(["doctor", "--json"], { env });
    expect(out + err).not.toContain("hunter2");
    const findings = JSON.parse(out) as Finding[];
    return (url: string) => findings.find(({ check }) => check === `replica ${serverOf(url)}`);
  };
  const found = await examine();
  expect(found(replica.url)).toMatchObject({
    result: "ok",
    message: expect.stringMatching(/^At most \d+ ms behind; hot_standby_feedback is (on|off)\.$/),
  });
  expect(found(foreign)).toMatchObject({
    result: "fail",
    message: expect.stringContaining("It is no standby of the database that DATABASE_URL names"),
  });
  expect(found(ABSENT)).toMatchObject({
    result: "warn",
    message: expect.stringContaining("can't be reached"),
  });

  await replica.pause();
  server = await startServerProcess(servers.primary.url);
  expect((await examine())(replica.url)).toMatchObject({
    result: "warn",
    message: expect.stringContaining("The primary answers until it has caught up."),
  });
  await replica.resume();
});

test.runIf(IS_LONG)("a primary that ends takes one line of the log for all its connections", async () => {
  server = await startServerProcess(servers.primary.url);
  const { request, output } = server;
  const lines = () => output().split("A connection to the database was lost").length - 1;
  await Promise.all(Array.from({ length: 20 }, (_, at) => request(`/api/articles?per_page=${at + 1}`)));
  await servers.primary.kill();
  await until(() => lines() > 0);
  expect(lines()).toBe(1);
});
