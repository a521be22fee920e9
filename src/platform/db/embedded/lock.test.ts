import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cases } from "../../../../test/setup.ts";
import { takeLock } from "./lock.ts";
import { startOf } from "./processes.ts";

describe("The lock of a directory", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "inkstone-lock-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const leave = (content: object | string, into = directory, number = 1) =>
    writeFileSync(
      join(into, `engine.lock.${number}`),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  const GONE = { pid: 2 ** 22 - 1, startedAt: "1", kind: "server" };

  test("goes to the first process; the next learns who has it", () => {
    expect(takeLock(directory, "server")).toHaveProperty("release");
    expect(takeLock(directory, "command")).toMatchObject({ pid: process.pid, kind: "server" });
  });

  test("is free again after its release, and one small file is left behind", () => {
    for (let round = 1; round <= 3; round++) {
      const lock = takeLock(directory, "server");
      if ("release" in lock) lock.release();
      expect(readdirSync(directory)).toEqual([`engine.lock.${round}`]);
    }
    expect(takeLock(directory, "command")).toHaveProperty("release");
  });

  test("passes from a process that is gone to the next, with nothing but the new lock left", () => {
    leave(GONE);
    expect(takeLock(directory, "server")).toHaveProperty("release");
    expect(readdirSync(directory)).toEqual(["engine.lock.2"]);
    expect(JSON.parse(readFileSync(join(directory, "engine.lock.2"), "utf8"))).toMatchObject({
      pid: process.pid,
    });
  });

  test("passes on when its number belongs to a later process now", () => {
    leave({ ...GONE, pid: process.ppid });
    expect(takeLock(directory, "server")).toHaveProperty("release");
  });

  test("passes on when a loss of power left it empty", () => {
    leave("");
    expect(takeLock(directory, "server")).toHaveProperty("release");
  });

  test("belongs to the highest number, also while a lower one is left", () => {
    leave(GONE);
    leave({ ...GONE, pid: process.ppid, startedAt: startOf(process.ppid) }, directory, 10);
    expect(takeLock(directory, "server")).toMatchObject({ pid: process.ppid });
  });

  test("goes to exactly one of several processes that find a dead holder at the same time", async () => {
    const rounds = Array.from({ length: cases(150, 40) }, (_, round) => join(directory, String(round)));
    for (const round of rounds) {
      mkdirSync(round);
      leave(GONE, round);
    }
    const rivals = await Promise.all(Array.from({ length: 4 }, () => startRival(rounds)));
    const start = Date.now() + 200;
    const winners = await Promise.all(rivals.map((rival) => rival.contend(start)));
    // A holder that is gone would be succeeded.
    for (const { end } of rivals) end();
    expect(winners.flat().toSorted()).toEqual(rounds.toSorted());
  });
});

/** A process that asks for one lock after the other, at the same moments as its rivals, and keeps those it got. */
async function startRival(directories: string[]) {
  const program = `
    import { createInterface } from "node:readline";
    const [lockFile, ...directories] = process.argv.slice(1);
    const { takeLock } = await import(lockFile);
    console.log("ready");
    for await (const start of createInterface(process.stdin)) {
      const won = directories.filter((directory, round) => {
        while (Date.now() < Number(start) + round * 10);
        return "release" in takeLock(directory, "server");
      });
      console.log(JSON.stringify(won));
    }`;
  const args = [
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    program,
    join(import.meta.dirname, "lock.ts"),
  ];
  const child = spawn(process.execPath, [...args, ...directories], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout);
  await once(lines, "line");
  return {
    async contend(start: number): Promise<string[]> {
      const answered = once(lines, "line");
      child.stdin.write(`${start}\n`);
      const [won] = (await answered) as [string];
      return JSON.parse(won) as string[];
    },
    end: () => child.stdin.end(),
  };
}
