import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type EngineProcess,
  newDataDir,
  openInProcess,
  watchdogsOf,
} from "../../../../test/engine-process.ts";
import { PATIENCE_MS } from "../../../../test/setup.ts";
import { asOwner } from "./database.ts";
import { type Engine, openEngine } from "./engine.ts";
import { postgresProcesses, readPidFile, waitUntil } from "./processes.ts";

describe.runIf(process.platform === "linux")("PostgreSQL that is killed, or whose owner is", () => {
  // What survives one test can be used by the next.
  const dataDir = newDataDir();
  const cluster = join(dataDir, "postgres");
  let server: EngineProcess;
  let after: Engine | undefined;

  beforeEach(async () => {
    server = await openInProcess({ dataDir, holder: "server" });
  });
  afterEach(async () => {
    await after?.stop();
    after = undefined;
    await server.kill();
    await waitUntil(() => running().length + watchdogs().length === 0, PATIENCE_MS);
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const running = () => postgresProcesses(cluster);
  const postmaster = () => Number(readPidFile(cluster)?.pid);
  const watchdogs = () => watchdogsOf(cluster);
  const kill = (pids: number[]) => pids.forEach((pid) => process.kill(pid, "SIGKILL"));

  async function query(text: string, connection = asOwner(server.connection)): Promise<unknown[]> {
    const client = new pg.Client(connection);
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function reopen(): Promise<void> {
    after = await openEngine({ dataDir, holder: "server", log: () => {} });
  }

  test("is gone soon after its owner was killed, even in the middle of work", async () => {
    await query("create table busy as select g from generate_series(1, 200000) g");
    query("select count(*) from busy a, busy b").catch(() => {});
    await waitUntil(() => running().length > 6, 200);
    await server.kill();
    expect(await waitUntil(() => running().length === 0, PATIENCE_MS)).toBe(true);
  });

  test("leaves no watchdog behind when its owner stops it", async () => {
    expect(watchdogs()).toHaveLength(1);
    await server.stop();
    await waitUntil(() => watchdogs().length === 0, PATIENCE_MS);
    expect(watchdogs()).toEqual([]);
    expect(running()).toEqual([]);
  });

  test("is started again by its owner when the postmaster is killed, and is still watched", async () => {
    await query("drop table if exists kept; create table kept as select 1 as one");
    const before = postmaster();
    kill([before]);
    const isReady = () => postmaster() !== before && readPidFile(cluster)?.ready === true;
    expect(await waitUntil(isReady, PATIENCE_MS)).toBe(true);
    expect(await query("select * from kept")).toEqual([{ one: 1 }]);
    await server.kill();
    expect(await waitUntil(() => running().length === 0, PATIENCE_MS)).toBe(true);
  });

  test("is guarded by another watchdog when its own is killed, however often", async () => {
    for (let time = 0; time < 2; time++) {
      const before = watchdogs();
      expect(before).toHaveLength(1);
      kill(before);
      const isReplaced = () => watchdogs().some((pid) => !before.includes(pid));
      expect(await waitUntil(isReplaced, PATIENCE_MS)).toBe(true);
    }
    expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
    expect(server.log).toContain("The watchdog of PostgreSQL has ended: another one is started.");
    await server.kill();
    expect(await waitUntil(() => running().length + watchdogs().length === 0, PATIENCE_MS)).toBe(true);
  });

  test("stays guarded after its owner had no file descriptor for another watchdog", async () => {
    const before = watchdogs();
    const limit = (count: string) =>
      execFileSync("prlimit", ["--pid", String(server.pid), `--nofile=${count}:`]);
    const found = readFileSync(`/proc/${server.pid}/limits`, "utf8");
    const usual = /^Max open files +(\d+)/m.exec(found)?.[1] ?? "";
    limit("8");
    kill(before);
    const hasFailed = () => server.log.some((line) => /can't be started.*EMFILE/.test(line));
    expect(await waitUntil(hasFailed, PATIENCE_MS)).toBe(true);
    limit(usual);
    const isReplaced = () => watchdogs().some((pid) => !before.includes(pid));
    expect(await waitUntil(isReplaced, PATIENCE_MS)).toBe(true);
    await server.stop();
    expect(await waitUntil(() => watchdogs().length === 0, PATIENCE_MS)).toBe(true);
  });

  test("starts again by itself when everything was killed at once", async () => {
    await query("drop table if exists kept; create table kept as select 1 as one");
    kill([...watchdogs(), server.pid, ...running()]);
    await reopen();
    expect(await query("select * from kept")).toEqual([{ one: 1 }]);
  });

  test("is ended by the next start when neither its owner nor its watchdog could", async () => {
    await query("drop table if exists kept; create table kept as select 1 as one");
    const orphan = postmaster();
    kill([...watchdogs(), server.pid]);
    await waitUntil(() => false, 500);
    expect(running()).toContain(orphan);
    await reopen();
    expect(postmaster()).not.toBe(orphan);
    expect(await query("select * from kept")).toEqual([{ one: 1 }]);
  });

  test("starts though the number in a stale postmaster.pid now belongs to another program", async () => {
    kill([...watchdogs(), server.pid, ...running()]);
    await waitUntil(() => running().length === 0, PATIENCE_MS);
    const { writeFileSync } = await import("node:fs");
    const file = join(cluster, "postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(process.pid)));
    await reopen();
    expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
  });
});
