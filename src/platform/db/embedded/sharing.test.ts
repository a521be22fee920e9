import { rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type EngineProcess, newDataDir, openInProcess } from "../../../../test/engine-process.ts";
import { PATIENCE_MS, cases } from "../../../../test/setup.ts";
import { openEngine } from "./engine.ts";
import { postgresProcesses, waitUntil } from "./processes.ts";

describe("One data directory", () => {
  const dataDir = newDataDir();
  const cluster = join(dataDir, "postgres");
  const processes: EngineProcess[] = [];

  afterEach(async () => {
    for (const process of processes.splice(0)) await process.kill();
    await waitUntil(() => postgresProcesses(cluster).length === 0, PATIENCE_MS);
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  async function open(holder: "server" | "command", log: string[] = []): Promise<EngineProcess> {
    const process = await openInProcess({ dataDir, holder, log });
    processes.push(process);
    return process;
  }

  async function isServing({ connection }: EngineProcess): Promise<boolean> {
    const client = new pg.Client(connection);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }

  test("has one server: a second learns who the first is", async () => {
    const first = await open("server");
    await expect(open("server")).rejects.toMatchObject({
      name: "EngineError",
      message: `${dataDir} is in use by the inkstone server with pid ${first.pid}: stop it, or give this one another DATA_DIR`,
    });
    expect(await isServing(first)).toBe(true);
  });

  test("lets commands use a running server's database, and leaves it running", async () => {
    const server = await open("server");
    const command = await open("command");
    expect(command).toMatchObject({ owned: false, connection: server.connection });
    await command.stop();
    expect(await isServing(server)).toBe(true);
  });

  test("lets two commands share, and the one that started it waits for the other", async () => {
    const owner = await open("command");
    const guest = await open("command");
    expect([owner.owned, guest.owned]).toEqual([true, false]);
    const stopped = owner.stop().then(() => "stopped");
    expect(await Promise.race([stopped, pause(1_000)])).toBe(undefined);
    expect(await isServing(guest)).toBe(true);
    await guest.stop();
    expect(await stopped).toBe("stopped");
    expect(postgresProcesses(cluster)).toEqual([]);
  });

  test("does not wait for a command that was killed", async () => {
    const owner = await open("command");
    const guest = await open("command");
    const stopped = owner.stop().then(() => "stopped");
    await guest.kill();
    expect(await Promise.race([stopped, pause(PATIENCE_MS)])).toBe("stopped");
  });

  test("goes to one of many commands that start at once, and every one can use it", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => open("command")));
    expect(all.filter(({ owned }) => owned)).toHaveLength(1);
    await Promise.all(all.map((process) => process.stop()));
    const log = all.flatMap((process) => process.log);
    expect(log.filter((line) => !line.startsWith("Another command") && !line.startsWith("Waiting"))).toEqual(
      [],
    );
  });

  test("is taken by a server as soon as the command that has it ends", async () => {
    const command = await open("command");
    const log: string[] = [];
    const server = open("server", log);
    await expect.poll(() => log).toEqual([expect.stringContaining(`pid ${command.pid}`)]);
    await command.stop();
    expect(await server).toMatchObject({ owned: true, log });
  });

  test("stays with a command that goes on: when its patience ends the server says so", async () => {
    const command = await open("command");
    const patienceMs = cases(10_000, 1_000);
    await expect(openEngine({ dataDir, holder: "server", log: () => {}, patienceMs })).rejects.toThrow(
      `${dataDir} is in use by the inkstone command with pid ${command.pid}: stop it, or give this one another DATA_DIR`,
    );
  });
});

const pause = (milliseconds: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds));
