import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFiles, type Files } from "./files.ts";

let root: string;
let files: Files;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "inkstone-files-"));
  files = createFiles(join(root, "deep", "files"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const listed = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

test("nothing is left of a removed file, and writers of the same name leave one", async () => {
  await Promise.all(Array.from({ length: 8 }, () => files.put("uploads/abc.png", randomBytes(10_000))));
  expect((await listed()).map(({ name }) => name)).toEqual(["abc.png"]);
  await files.remove("uploads/abc.png");
  expect(await listed()).toEqual([]);
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
