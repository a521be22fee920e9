import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anotherStore, startS3Store } from "../../../test/s3-store.ts";
import type { Files } from "./files.ts";
import { openFiles } from "./open.ts";

interface Opened {
  files: Files;
  close: () => Promise<void>;
}

const STORES: Record<string, () => Promise<Opened>> = {
  async disk() {
    const dataDir = await mkdtemp(join(tmpdir(), "inkstone-files-"));
    const files = await openFiles({ dataDir, s3: undefined });
    return { files, close: () => rm(dataDir, { recursive: true }) };
  },
  async "S3 store"() {
    const store = await startS3Store();
    store.pageSize = 3;
    return { files: await openFiles({ dataDir: "/nonexistent", s3: store.settings }), close: store.stop };
  },
};
const another = anotherStore();
if (another !== undefined)
  STORES["store of TEST_S3_URL"] = async () => ({
    files: await openFiles({ dataDir: "/nonexistent", s3: another }),
    close: async () => {},
  });

/** A store that others use too has files of theirs. */
const letters = () => [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("");

describe.each(Object.keys(STORES))("a %s", (kind) => {
  let folder: string;
  const nameOf = (file: string) => `${folder}/${file}`;
  let opened: Opened;
  let files: Files;
  beforeAll(async () => {
    opened = await (STORES[kind] as () => Promise<Opened>)();
    files = opened.files;
  });
  afterAll(() => opened.close());
  beforeEach(() => {
    folder = letters();
  });
  afterEach(async () => {
    for (const name of await listed(folder)) await files.remove(name);
  });

  async function read(name: string): Promise<Buffer | undefined> {
    const file = await files.get(name);
    return file && buffer(file.stream);
  }

  async function listed(of?: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of files.list(of)) names.push(name);
    return names.toSorted((one, other) => (one < other ? -1 : 1));
  }

  test("has a file that was put until it is removed", async () => {
    const name = nameOf("abc.png");
    const bytes = randomBytes(100_000);
    expect(await files.get(name)).toBeUndefined();
    await files.put(name, bytes);
    expect((await read(name))?.equals(bytes)).toBe(true);
    const unread = await files.get(name);
    expect(unread?.size).toBe(bytes.length);
    unread?.stream.destroy();
    await files.remove(name);
    await files.remove(name);
    expect(await files.get(name)).toBeUndefined();
  });

  test("replaces a file, and with many writers and readers at once, no reader sees half of one", async () => {
    const name = nameOf("same.png");
    const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, index + 1));
    const writes = contents.map((bytes) => files.put(name, bytes));
    const reads = Array.from({ length: 40 }, () => read(name));
    for (const seen of await Promise.all(reads)) {
      if (seen) expect(seen.equals(Buffer.alloc(300_000, seen[0]))).toBe(true);
    }
    await Promise.all(writes);
    await files.put(name, Buffer.from("last"));
    expect(String(await read(name))).toBe("last");
    await files.remove(name);
  });

  test("lists the files of a folder and all, with their times, and sweeps none of them", async () => {
    const before = Date.now();
    const names = Array.from({ length: 10 }, (_, index) => nameOf(`${index}a.png`));
    for (const name of names) await files.put(name, Buffer.from(name));
    await files.sweep(new Date(Date.now() + 86_400_000));
    expect(await listed(folder)).toEqual(names);
    expect(await listed()).toEqual(expect.arrayContaining(names));
    expect(await listed(letters())).toEqual([]);
    for await (const { name, modifiedAt, md5 } of files.list(folder)) {
      expect(Math.abs(modifiedAt.getTime() - before)).toBeLessThan(600_000);
      if (md5 !== undefined) expect(md5).toBe(createHash("md5").update(name).digest("hex"));
    }
  });

  test.each([
    "uploads/../../etc/passwd",
    "/uploads/abc.png",
    "uploads/a/b.png",
    "uploads/abc.png\0",
    "uploads/.png",
    "incoming/abc.png",
    "uploads/ABC.png",
    `uploads/${"a".repeat(300)}.png`,
    "",
  ])("has nothing that is called %j", async (name) => {
    const refusal = "A file can't be called";
    await expect(files.put(name, Buffer.from("x"))).rejects.toThrow(refusal);
    await expect(files.get(name)).rejects.toThrow(refusal);
    await expect((async () => files.remove(name))()).rejects.toThrow(refusal);
  });
});
