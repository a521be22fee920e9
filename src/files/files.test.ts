import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFiles, type Files } from "./files.ts";

let root: string;
let files: Files;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "inkstone-files-"));
  files = createFiles(join(root, "deep", "files"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function read(name: string): Promise<Buffer | undefined> {
  const file = await files.get(name);
  return file && buffer(file.stream);
}

const listed = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

test("a file that was put is there until it is removed", async () => {
  const bytes = randomBytes(100_000);
  await files.put("uploads/abc.png", bytes);
  expect(await read("uploads/abc.png")).toEqual(bytes);
  expect((await files.get("uploads/abc.png"))?.stream.destroy()).toBeDefined();
  await files.remove("uploads/abc.png");
  await files.remove("uploads/abc.png");
  expect(await files.get("uploads/abc.png")).toBeUndefined();
  expect(await listed()).toEqual([]);
});

test("with many writers and readers at once, no reader sees half a file", async () => {
  const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, index + 1));
  const writes = contents.map((bytes) => files.put("uploads/same.png", bytes));
  const reads = Array.from({ length: 40 }, () => read("uploads/same.png"));
  for (const seen of await Promise.all(reads)) {
    if (seen) expect(seen.equals(Buffer.alloc(300_000, seen[0]))).toBe(true);
  }
  await Promise.all(writes);
  expect((await listed()).map(({ name }) => name)).toEqual(["same.png"]);
  await files.remove("uploads/same.png");
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
])("nothing can be called %j", async (name) => {
  await expect(files.put(name, Buffer.from("x"))).rejects.toThrow("A file can't be called");
  await expect(files.get(name)).rejects.toThrow("A file can't be called");
});

test("what a killed process left behind is swept when it is old, and nothing else", async () => {
  const incoming = join(root, "deep", "files", "incoming");
  await files.put("uploads/kept.png", Buffer.from("x"));
  for (const [name, minutes] of [
    ["old", 61],
    ["young", 59],
  ] as const) {
    await writeFile(join(incoming, name), "half");
    const time = new Date(Date.now() - minutes * 60_000);
    await utimes(join(incoming, name), time, time);
  }
  await files.sweep(new Date());
  expect((await listed()).map(({ name }) => name).toSorted()).toEqual(["kept.png", "young"]);
  await expect(createFiles(join(root, "nowhere")).sweep(new Date())).resolves.toBeUndefined();
});
