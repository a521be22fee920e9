import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { canMount, mountSmallDisk, type SmallDisk } from "../../../test/small-disk.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import { startWorker } from "../../worker.ts";
import { createDisk, type Disk } from "./disk.ts";
import { until } from "../../../test/waiting.ts";

const MB = 1_000_000;
const FLOOR = 4 * MB;
const LOOK_MS = 100;

describe.runIf(canMount)("A watched disk", () => {
  let small: SmallDisk;
  let disk: Disk;
  let lines: string[];
  let stop: () => Promise<void>;
  let ballast: string;
  beforeEach(async () => {
    small = mountSmallDisk(16);
    ballast = join(small.path, "ballast");
    disk = createDisk(FLOOR, LOOK_MS);
    lines = [];
    // Half made.
    writeFileSync(ballast, "");
    stop = await disk.watch(small.path, (line) => lines.push(line));
    await until(hasBallast);
  });
  afterEach(async () => {
    try {
      await stop();
    } finally {
      small.unmount();
    }
  });

  const hasBallast = () => existsSync(ballast) && statSync(ballast).size === FLOOR / 2;
  const becomes = (hasRoom: boolean) => until(() => disk.hasRoom === hasRoom);

  test("has room again a little above the floor, and says so once", async () => {
    expect(disk).toMatchObject({ hasRoom: true, floorBytes: FLOOR });
    small.fill(3 * MB);
    await becomes(false);
    small.free();
    small.fill(4.2 * MB);
    await sleep(3 * LOOK_MS);
    expect(disk.hasRoom).toBe(false);
    small.free();
    await becomes(true);
    expect(disk.freeBytes).toBeGreaterThan(FLOOR);
    expect(hasBallast()).toBe(true);
    expect(lines.map((line) => line.replace(/^\d+ MB/, "N MB"))).toEqual([
      `N MB free in ${small.path}; the floor is 4 MB (MIN_FREE_DISK_MEGABYTES): writes are refused until there is room.`,
      `N MB free in ${small.path}; the floor is 4 MB (MIN_FREE_DISK_MEGABYTES): writes are accepted again.`,
    ]);
  });

  test("gives its ballast up when it is nearly full, and makes it again when there is room", async () => {
    small.fill();
    await until(() => !existsSync(ballast));
    expect(lines.at(-1)).toBe("The disk is nearly full, so the ballast of 2 MB is removed: reads go on.");
    await sleep(3 * LOOK_MS);
    expect(disk.hasRoom).toBe(false);
    small.free();
    await until(hasBallast);
    expect(lines).toHaveLength(3);
  });

  test("logs a failure once", async () => {
    small.fill();
    await until(() => !existsSync(ballast));
    small.free();
    small.makeReadOnly();
    await until(() => lines.at(-1)?.includes("EROFS"));
    const count = lines.length;
    await sleep(3 * LOOK_MS);
    expect(lines).toHaveLength(count);
  });

  test("without a floor has room and no ballast", async () => {
    await stop();
    stop = await createDisk(0).watch(small.path, (line) => lines.push(line));
    expect(existsSync(ballast)).toBe(false);
    expect(lines).toEqual([]);
  });

  describe("without room", () => {
    let world: World;
    let key: string;
    beforeEach(async () => {
      world = await startWorld({ build: (context, services) => buildApp(context, { ...services, disk }) });
      key = await world.key(await world.user({ username: "ada" }));
    });
    afterEach(() => world.stop());

    test.each([
      ["POST", "/api/articles"],
      ["PUT", "/api/articles/1"],
      ["DELETE", "/api/articles/1"],
      ["POST", "/api/image_uploads"],
    ])("refuses %s %s with 503, a stranger's with 401, and answers reads", async (method, url) => {
      small.fill(3 * MB);
      await becomes(false);
      const body = { article: { title: "A", body_markdown: "B" } };
      expect(await world.request({ method, url, key, body })).toMatchObject({
        status: 503,
        headers: { "retry-after": "5" },
        body: { error: "service unavailable", status: 503 },
      });
      expect((await world.request({ method, url, body })).status).toBe(401);
      expect((await world.get("/api/articles/me", { key })).status).toBe(200);
    });

    test("lets background work wait", async () => {
      const { db, pool, services, context } = world;
      const { files, config } = context;
      small.fill(3 * MB);
      await becomes(false);
      const worker = await startWorker({
        pool,
        db,
        files,
        services: { ...services, disk },
        baseUrl: config.baseUrl,
        now: () => new Date(),
        log: () => {},
      });
      try {
        const published_at = new Date(Date.now() + 3_600_000).toISOString();
        await world.article({ username: "ada" }, { slug: "timed", published_at });
        await db.updateTable("articles").set({ published_at: new Date() }).execute();
        const status = async () => (await world.get("/api/articles/ada/timed")).status;
        await sleep(2_000);
        expect(await status()).toBe(404);
        small.free();
        await until(async () => (await status()) === 200);
      } finally {
        await worker.stop();
      }
    });
  });
});
