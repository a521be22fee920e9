import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { programForAll } from "../../../test/commands.ts";
import { type ServerProcess, startServerProcess } from "../../../test/servers.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../../../test/small-disk.ts";
import { postgresProcesses, readPidFile } from "../../platform/db/embedded/processes.ts";
import { until } from "../../../test/waiting.ts";

const MB = 1_000_000;
const FLOOR = { MIN_FREE_DISK_MEGABYTES: "64" };

const { inkstone } = programForAll();

describe.runIf(canMount)("A server whose disk fills up", () => {
  let disk: SmallDisk;
  let server: ServerProcess;
  let key: string;
  let written: number;
  beforeAll(async () => {
    disk = mountSmallDisk(400);
    written = 0;
    server = await start();
    key = await newKey();
    await until(hasWholeBallast);
  });
  afterAll(async () => {
    try {
      await kill();
    } finally {
      disk.unmount();
    }
  });

  /** Ends the server, and waits for the end of its PostgreSQL, which comes within two seconds. */
  async function kill(): Promise<void> {
    await server.kill();
    await until(() => postgresProcesses(join(disk.path, "postgres")).length === 0);
  }
  const start = () =>
    startServerProcess("", { DATA_DIR: disk.path, RATE_LIMITS: "off", LOG_FORMAT: "json", ...FLOOR });
  const ballastBytes = () => statSync(join(disk.path, "ballast"), { throwIfNoEntry: false })?.size;
  const hasBallast = () => ballastBytes() !== undefined;
  const hasWholeBallast = () => ballastBytes() === 32 * MB;
  const postmaster = () => readPidFile(join(disk.path, "postgres"))?.pid;
  const linesWith = (text: string) =>
    server
      .output()
      .split("\n")
      .filter((line) => line.includes(text) && !line.includes("unavailable:"));

  async function newKey(): Promise<string> {
    const names = ["--username", "ada", "--name", "Ada"];
    const { out, err } = await inkstone(["user", "create", ...names, "--with-key", "--json"], {
      env: { DATABASE_URL: "", DATA_DIR: disk.path },
    });
    expect(err).toBe("");
    return (JSON.parse(out) as { api_key: string }).api_key;
  }

  /** Returns the status, after which what was acknowledged is in `written`. */
  async function write(): Promise<number> {
    const title = `Number ${written + 1}`;
    const body = { article: { title, body_markdown: "warp ".repeat(2_000), published: true } };
    const { status, headers } = await server.request("/api/articles", { method: "POST", key, body });
    if (status === 201) written++;
    if (status === 503) expect(headers.get("retry-after")).toBe("5");
    return status;
  }
  const read = async (path: string) => (await server.request(path, { key })).status;
  const becomes = (status: number) => until(async () => (await write()) === status);

  async function readsGoOn(): Promise<void> {
    for (let times = 0; times < cases(30, 5); times++) {
      const paths = ["/api/articles", "/api/articles/search?q=warp", "/api/articles/me", "/readyz"];
      expect(await Promise.all(paths.map(read))).toEqual([200, 200, 200, 200]);
      await sleep(100);
    }
  }

  async function keptAll(): Promise<void> {
    const { text } = await server.request("/api/articles/me?per_page=1000", { key });
    expect(JSON.parse(text)).toHaveLength(written);
  }

  test("refuses writes, goes on with reads and PostgreSQL, and loses nothing", async () => {
    expect(await write()).toBe(201);
    const before = postmaster();
    disk.fill(40 * MB);
    await becomes(503);
    await readsGoOn();
    expect(hasBallast()).toBe(true);
    expect((await server.request("/metrics")).text).toMatch(/^inkstone_disk_writable 0$/m);
    const env = { DATABASE_URL: "", DATA_DIR: disk.path, ...FLOOR };
    expect((await inkstone(["doctor"], { env })).out).toMatch(
      /^fail {2}disk: \d+ MB free in .*; a server refuses writes below 64 MB/m,
    );

    disk.fill();
    await until(() => !hasBallast());
    await readsGoOn();
    expect(await write()).toBe(503);

    disk.free();
    await becomes(201);
    await until(hasWholeBallast);
    await keptAll();
    expect(postmaster()).toBe(before);
    expect(linesWith("writes are refused")).toHaveLength(1);
    expect(linesWith("ballast of 32 MB is removed")).toHaveLength(1);
    expect(linesWith("writes are accepted again")).toHaveLength(1);
  });

  test("keeps what it acknowledged while the disk filled up under its writes", async () => {
    const statuses = new Set<number>();
    const writing = (async () => {
      while (!statuses.has(503)) statuses.add(await write());
      for (let times = 0; times < cases(200, 50); times++) statuses.add(await write());
    })();
    await until(() => statuses.has(201));
    disk.fill();
    await writing;
    expect(statuses).toEqual(new Set([201, 503]));
    await readsGoOn();
    disk.free();
    await becomes(201);
    await keptAll();
  });

  test("starts on a full disk, and reads", async () => {
    expect(await write()).toBe(201);
    await until(hasWholeBallast);
    await kill();
    disk.fill();
    server = await start();
    expect(hasBallast()).toBe(false);
    await readsGoOn();
    expect(await write()).toBe(503);
    await keptAll();
  });
});
