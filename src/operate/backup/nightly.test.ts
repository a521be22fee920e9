import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBackup } from "../../../test/backups.ts";
import { connectionTo } from "../../../test/database.ts";
import { databaseForAll } from "../../../test/own-database.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";
import { type S3Store, startS3Store } from "../../../test/s3-store.ts";
import { startServerProcess } from "../../../test/servers.ts";
import { ifUnlocked } from "../../platform/db/locks.ts";
import { openFiles } from "../../platform/files/open.ts";
import type { Finding } from "../health/finding.ts";
import { createNightly } from "./nightly.ts";
import { nameOf } from "./places.ts";

const database = databaseForAll();
const HOUR_MS = 3_600_000;
const PART = "0a1b2c3d.part";
let folder: string;
let store: S3Store;
let lines: string[];
let now: Date;
beforeAll(async () => {
  store = await startS3Store();
});
afterAll(() => store.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-nightly-"));
  lines = [];
  now = new Date("2027-03-20T04:07:00Z");
  store.objects.clear();
  store.asked.length = 0;
  store.fault = undefined;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (date: string) => (now = new Date(date));

async function open(backupDir: string, stopping = new AbortController()) {
  const config = {
    baseUrl: "https://ink.example",
    backupDir,
    backupKeepDays: 2,
    dataDir: join(folder, "data"),
    s3: backupDir === "s3" ? store.settings : undefined,
  };
  return createNightly({
    config,
    db: database.db,
    connection: connectionTo(database.name),
    files: await openFiles(config),
    now: () => now,
    signal: stopping.signal,
    log: (level, line) => void lines.push(`${level} ${line}`),
  });
}

describe("a nightly backup", () => {
  test("makes the folder, is whole, and removes those that are too old and nothing else", async () => {
    const target = join(folder, "backups");
    await mkdir(target);
    const first = nameOf(new Date("2027-03-01T04:07:00Z"));
    const [second, third] = [
      nameOf(new Date("2027-03-02T04:07:00Z")),
      nameOf(new Date("2027-03-19T04:07:00Z")),
    ];
    const others = ["notes.txt", "community.tar", `community.tar.${PART}`, `${third}.${PART}`];
    const abandoned = `${second}.${PART}`;
    for (const name of [first, second, third, abandoned, ...others]) await writeFile(join(target, name), "x");
    const before = new Date(Date.now() - 25 * HOUR_MS);
    for (const name of [abandoned, `community.tar.${PART}`]) await utimes(join(target, name), before, before);
    const nightly = await open(target);
    await nightly.run();
    const made = nameOf(now);
    expect((await readdir(target)).toSorted()).toEqual([...others, first, third, made].toSorted());
    const { manifest } = await openBackup(await readFile(join(target, made)));
    expect(manifest).toMatchObject({ takenAt: now.toISOString(), baseUrl: "https://ink.example" });
    expect(nightly.ageSeconds()).toBe(0);
    expect(lines).toEqual([]);
  });

  test("goes to the bucket in parts, apart from the files of the site", async () => {
    const nightly = await open("s3");
    const files = await openFiles({ dataDir: folder, s3: store.settings });
    await files.put("uploads/aa.png", Buffer.from("picture"));
    await nightly.run();
    const name = `backups/${nameOf(now)}`;
    const { files: saved } = await openBackup(store.objects.get(name)?.bytes ?? Buffer.alloc(0));
    expect([...saved.keys()]).toEqual(["uploads/aa.png"]);
    const listed: string[] = [];
    for await (const file of files.list()) listed.push(file.name);
    expect(listed).toEqual(["uploads/aa.png"]);

    at("2027-03-21T04:07:00Z");
    await nightly.run();
    // The one of the night before is not in it.
    const next = store.objects.get(`backups/${nameOf(now)}`)?.bytes ?? Buffer.alloc(0);
    expect([...(await openBackup(next)).files.keys()]).toEqual(["uploads/aa.png"]);
    at("2027-03-23T12:00:00Z");
    await nightly.run();
    expect([...store.objects.keys()].filter((key) => key.startsWith("backups/"))).toHaveLength(2);
  });

  test("that a store refuses leaves nothing there, removes nothing, and is an error in the log", async () => {
    const old = `backups/${nameOf(new Date("2026-01-01T00:00:00Z"))}`;
    store.objects.set(old, { bytes: Buffer.from("x"), modifiedAt: now });
    store.fault = (request, response) => {
      if (request.method !== "PUT") return false;
      response.writeHead(403).end();
      return true;
    };
    const nightly = await open("s3");
    await expect(nightly.run()).rejects.toThrow("The file store can't be used");
    expect([...store.objects.keys()]).toEqual([old]);
    expect(store.uploads.size).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^error The backup to backups\/ of the bucket .* failed: The file/),
    ]);
  });

  test("waits for no other one, and leaves nothing behind", async () => {
    const nightly = await open(folder);
    await ifUnlocked(database.db, "backup", () => expect(nightly.run()).rejects.toThrow("Another backup"));
    expect(await readdir(folder)).toEqual([]);
    expect(lines).toEqual([expect.stringContaining("failed: Another backup of this site is running")]);
  });

  test("ends with the server, which makes up for it, without an error in the log", async () => {
    const stopping = new AbortController();
    const nightly = await open(folder, stopping);
    stopping.abort();
    await expect(nightly.run()).rejects.toThrow("aborted");
    expect(await readdir(folder)).toEqual([]);
    expect(lines).toEqual([]);
  });

  test("that is missing for more than 48 hours is an error in the log, also where there never was one", async () => {
    const nightly = await open(folder);
    await nightly.check();
    expect(nightly.ageSeconds()).toBeUndefined();
    at("2027-03-22T05:07:00Z");
    await nightly.check();
    expect(lines).toEqual([`error There has been no backup in ${folder} for 49 hours`]);
    await nightly.run();
    at("2027-03-24T04:07:00Z");
    await nightly.check();
    expect(lines).toHaveLength(1);
    expect(nightly.ageSeconds()).toBe(47 * 3_600);
  });
});

test("a place where nothing can be written is a warning in the log at once", async () => {
  const file = join(folder, "file");
  await writeFile(file, "x");
  const nightly = await open(file);
  await nightly.check();
  expect(lines).toEqual([
    expect.stringMatching(/^warn No backup can be written to .*file \(.+\): correct BACKUP_DIR\.$/),
  ]);
});

describe("the age of the nightly backups", () => {
  const site = programForAll();
  const ago = (hours: number) => nameOf(new Date(Date.now() - hours * HOUR_MS));
  const examine = async (env: Record<string, string>) => {
    const { out } = await site.inkstone(["doctor", "--json"], { env });
    return (JSON.parse(out) as Finding[]).find(({ check }) => check === "backups");
  };

  test("is what doctor looks at, and the last failure", async () => {
    expect(await examine({})).toMatchObject({
      result: "ok",
      message: "BACKUP_DIR isn't set: the server makes none.",
    });
    const env = { BACKUP_DIR: folder };
    expect(await examine(env)).toMatchObject({
      result: "warn",
      message: expect.stringContaining("None in "),
    });
    const nowhere = join(folder, "nowhere");
    expect(await examine({ BACKUP_DIR: nowhere })).toMatchObject({
      result: "warn",
      message: expect.stringMatching(/^No backup can be written to .*nowhere \(ENOENT/),
    });
    await writeFile(join(folder, ago(-50)), "x");
    await writeFile(join(folder, ago(1)), "");
    expect(await examine(env)).toMatchObject({ message: expect.stringContaining("None in ") });
    await writeFile(join(folder, ago(50)), "x");
    expect(await examine(env)).toMatchObject({
      result: "warn",
      message: `The newest in ${folder} is 50 hours old: the server's log says why.`,
    });
    await writeFile(join(folder, ago(3)), "x");
    expect(await examine(env)).toMatchObject({
      result: "ok",
      message: `The newest in ${folder} is 3 hours old.`,
    });
    await sql`
      select graphile_worker.add_job('backup')`.execute(site.database.superuser);
    await sql`update graphile_worker._private_jobs set last_error = 'no room', updated_at = now()`.execute(
      site.database.superuser,
    );
    expect(await examine(env)).toMatchObject({
      result: "warn",
      message: `The last one to ${folder} failed (no room): the server's log says why.`,
    });
    await sql`delete from graphile_worker._private_jobs`.execute(site.database.superuser);
  });

  test("is a metric of the server, which runs a job for the backup", async () => {
    await writeFile(join(folder, ago(3)), "x");
    const server = await startServerProcess(urlOf(site.database.name), { BACKUP_DIR: folder });
    try {
      const age = async () => {
        const { text } = await server.request("/metrics");
        return Number(/^inkstone_backup_age_seconds (\S+)$/m.exec(text)?.[1]);
      };
      await expect.poll(age).toBeGreaterThanOrEqual(3 * 3_600);
      // What the clock does at night.
      await sql`select graphile_worker.add_job('backup')`.execute(site.database.superuser);
      await expect.poll(age).toBeLessThan(3 * 3_600);
      const names = (await readdir(folder)).toSorted();
      await openBackup(await readFile(join(folder, String(names.at(-1)))));
    } finally {
      await server.kill();
    }
  });
});
