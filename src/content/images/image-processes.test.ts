import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { form, pngOf, uploading } from "../../../test/pictures.ts";
import { createImages } from "./images.ts";
import { worldForAll } from "../../../test/world.ts";

let upload: () => ReturnType<ReturnType<typeof uploading>["upload"]>;
const world = worldForAll();
beforeAll(async () => {
  const uploads = uploading(world, await world.key(await world.user()));
  upload = () => uploads.upload(form(pngOf(8, 8)));
});

test("a process that is ended before it has loaded makes the upload unavailable, and the next one has another", async () => {
  const known = imageProcesses();
  const uploaded = upload();
  process.kill(await nextImageProcess(known), "SIGKILL");
  expect(await uploaded).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect((await upload()).status).toBe(201);
});

test("Ctrl-C, and whatever else asks a whole group of processes to end, takes no picture from the server", async () => {
  expect((await upload()).status).toBe(201);
  const before = imageProcesses();
  const uploaded = upload();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    for (const pid of before) process.kill(pid, signal);
  }
  expect((await uploaded).status).toBe(201);
  expect(imageProcesses()).toEqual(before);
  expect(world.bugs).toEqual([]);
});

describe("a process that ends with a picture in hand", () => {
  test.each([
    ["SIGSEGV", { code: "invalid", message: "Image can't be read: it breaks the decoder" }],
    ["SIGABRT", { code: "invalid", message: "Image can't be read: it breaks the decoder" }],
    ["SIGKILL", { code: "unavailable", retryAfterSeconds: 5 }],
    ["SIGUSR2", { code: "unavailable", retryAfterSeconds: 5 }],
  ])("by %s", async (signal, refusal) => {
    const known = imageProcesses();
    const images = createImages({ deadlineMs: 20_000 });
    await images.reencode(pngOf(8, 8));
    const pid = await nextImageProcess(known);
    process.kill(pid, "SIGSTOP");
    // So large that it isn't done before the signal arrives, whatever thread that arrives in.
    const made = images.reencode(pngOf(2_000, 2_000));
    // It has been asked by then, but can't answer.
    await new Promise(setImmediate);
    process.kill(pid, signal);
    process.kill(pid, "SIGCONT");
    await expect(made).rejects.toMatchObject(refusal);
    expect((await images.reencode(pngOf(8, 8))).width).toBe(8);
    images.close();
  });
});

/** The numbers of the image processes that this process has. */
function imageProcesses(): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isOurs(pid)).map(Number);
}

/** The first that isn't one of those known, as soon as it is there. */
async function nextImageProcess(known: readonly number[]): Promise<number> {
  for (;;) {
    const pid = imageProcesses().find((each) => !known.includes(each));
    if (pid !== undefined) return pid;
    await sleep(1);
  }
}

function isOurs(pid: string): boolean {
  try {
    const isChild = readFileSync(`/proc/${pid}/status`, "utf8").includes(`PPid:\t${process.pid}\n`);
    return isChild && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("image-worker");
  } catch {
    return false;
  }
}
