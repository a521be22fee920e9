import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtProgram } from "../../../test/setup.ts";
import { commandsForAll } from "../../../test/commands.ts";
import { type S3Store, startS3Store } from "../../../test/s3-store.ts";
import { until } from "../../../test/waiting.ts";
import { createFiles, type Files } from "../../platform/files/files.ts";

const site = commandsForAll();
let store: S3Store;
let dataDir: string;
let disk: Files;
let run = 0;
beforeEach(async () => {
  store = await startS3Store();
  dataDir = join(site.folder, `data-${run++}`);
  disk = createFiles(join(dataDir, "files"));
});
afterEach(() => store.stop());

const COUNT = 40;
const NAMES = Array.from({ length: COUNT }, (_, index) => `uploads/${String(index).padStart(32, "0")}.png`);
const CARD = "cards/07-7.png";
const contentOf = (name: string) => Buffer.from(name.repeat(100));
const BYTES = [...NAMES, CARD].reduce((sum, name) => sum + contentOf(name).length, 0);

// The database may be away.
const env = (more = store.env) => ({
  DATABASE_URL: "postgres://x@127.0.0.1:1/x",
  DATA_DIR: dataDir,
  ...more,
});
const copy = async (to: string, more?: Record<string, string>) => {
  const { code, out, err } = await site.inkstone(["files", "copy", "--to", to, "--json"], { env: env(more) });
  return { code, ...(JSON.parse(code === 0 ? out : err) as Record<string, unknown>) };
};
const fillDisk = async () => {
  for (const name of [...NAMES, CARD]) await disk.put(name, contentOf(name));
};
const fillStore = () => {
  for (const name of [...NAMES, CARD])
    store.objects.set(name, { bytes: contentOf(name), modifiedAt: new Date() });
};
const puts = () => store.asked.filter((asked) => asked.startsWith("PUT"));
const expectAllStored = () => {
  expect(store.objects.size).toBe(COUNT + 1);
  for (const [name, { bytes }] of store.objects) expect(bytes.equals(contentOf(name))).toBe(true);
};

describe("inkstone files copy", () => {
  test("copies all files to the S3 store, and then only what is missing or different", async () => {
    await fillDisk();
    store.pageSize = 7;
    expect(await copy("s3")).toEqual({ code: 0, to: "s3", copied: COUNT + 1, present: 0, bytes: BYTES });
    expectAllStored();
    const [missing = "", damaged = ""] = NAMES;
    store.objects.delete(missing);
    store.objects.set(damaged, { bytes: Buffer.from("damaged"), modifiedAt: new Date() });
    expect(await copy("s3")).toMatchObject({ copied: 2, present: COUNT - 1 });
    expectAllStored();
    expect(puts()).toHaveLength(COUNT + 3);
  });

  test("copies all files to the disk, reading nothing twice", async () => {
    fillStore();
    store.pageSize = 7;
    expect(await copy("disk")).toEqual({ code: 0, to: "disk", copied: COUNT + 1, present: 0, bytes: BYTES });
    for (const name of [...NAMES, CARD]) {
      const file = await disk.get(name);
      expect((await buffer(file?.stream as never)).equals(contentOf(name))).toBe(true);
    }
    const reads = () => store.asked.filter((asked) => /^GET ./.test(asked)).length;
    expect(reads()).toBe(COUNT + 1);
    await disk.remove(CARD);
    expect(await copy("disk")).toMatchObject({ code: 0, copied: 1, present: COUNT });
    expect(reads()).toBe(COUNT + 2);
    expect(puts()).toEqual([]);
  });

  test("goes on where it was killed", async () => {
    await fillDisk();
    const HELD = 20;
    store.fault = () => puts().length > HELD;
    const child = spawn(process.execPath, [builtProgram(), "files", "copy", "--to", "s3"], { env: env() });
    await until(() => puts().length > HELD);
    child.kill("SIGKILL");
    await once(child, "exit");
    store.fault = undefined;
    const done = store.objects.size;
    expect(done).toBeGreaterThan(0);
    const { code, copied, present } = (await copy("s3")) as { code: number; copied: number; present: number };
    expect(code).toBe(0);
    expect(present).toBeGreaterThanOrEqual(done);
    expect(copied).toBeGreaterThan(0);
    expect(copied + present).toBe(COUNT + 1);
    expectAllStored();
  });

  test("compares contents where the store lists other numbers than MD5", async () => {
    await fillDisk();
    store.etagOf = () => `"${"0".repeat(32)}"`;
    await copy("s3");
    expect(await copy("s3")).toMatchObject({ code: 0, copied: 0, present: COUNT + 1 });
    expect(puts()).toHaveLength(COUNT + 1);
  });

  test("fails for a file that arrives changed, and names it", async () => {
    const [name = ""] = NAMES;
    await disk.put(name, contentOf(name));
    store.fault = ({ method }, response) => {
      if (method !== "PUT") return false;
      store.objects.set(name, { bytes: Buffer.from("changed"), modifiedAt: new Date() });
      response.end();
      return true;
    };
    expect(await copy("s3")).toEqual({
      code: 1,
      error: `${name} doesn't arrive unchanged: check the store or the disk that it is copied to.`,
    });
  });

  test("is refused without a store", async () => {
    expect(await copy("s3", {})).toEqual({
      code: 1,
      error: "This command has no S3 store: set S3_ENDPOINT and the other variables of S3_….",
    });
    expect(await site.inkstone(["files", "copy", "--to", "tape"])).toMatchObject({ code: 2, out: "" });
  });

  test("says what it did", async () => {
    const [name = ""] = NAMES;
    await disk.put(name, contentOf(name));
    const say = async () => (await site.inkstone(["files", "copy", "--to", "s3"], { env: env() })).out;
    const place = `the bucket pictures of ${store.settings.endpoint}`;
    expect(await say()).toBe(`Copied 1 file (4400 bytes) to ${place}.\n`);
    expect(await say()).toBe(`Copied 0 files (0 bytes) to ${place}; 1 file was there.\n`);
  });
});

test("a demo with a database of its own doesn't use the bucket of a site", async () => {
  const settings = {
    ...store.env,
    DATABASE_URL: "",
    DATA_DIR: dataDir,
    PORT: "0",
    BASE_URL: "http://x.example",
  };
  const { code, err } = await site.inkstone(["serve", "--demo"], { env: settings });
  expect(code).toBe(1);
  expect(err).toMatch(/^inkstone: The demo has its own database, and a bucket belongs to one site, /);
  expect(store.asked).toEqual([]);
});
