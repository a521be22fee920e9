import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { faultsOfLine, invalidity } from "../bench/lines/line.ts";
import type { Comparison } from "../bench/measure/compare.ts";
import type { Speed } from "../bench/measure/turns.ts";
import { cpuOf, memoryOf, memoryOfTree } from "../bench/measure/processes.ts";
import { hasWrk, openWalk, VoidRun, type Walk } from "../bench/measure/wrk.ts";

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends an answer a little later, so that wrk, which never pauses, doesn't take a processor from other tests. */
const later = (send: () => void) => void setTimeout(send, 10);

describe.runIf(hasWrk())("The load of wrk", () => {
  async function walk(listener: RequestListener, paths: string[]): Promise<Walk> {
    const url = await serve(listener);
    const opened = await openWalk({ url, requests: { paths }, status: 200 });
    cleanups.unshift(() => opened.close());
    return opened;
  }

  test("asks for every address once, round after round", async () => {
    const asked: string[] = [];
    const paths = Array.from({ length: 5_000 }, (_, number) => `/${number}`);
    const opened = await walk(({ url = "" }, response) => {
      asked.push(url);
      later(() => response.end("text"));
    }, paths);
    const loads = [
      await opened.fire({ connections: 4, seconds: 1 }),
      await opened.fire({ connections: 1, seconds: 1 }),
      await opened.fire({ connections: 4, seconds: 1 }),
    ];
    expect(new Set(asked).size).toBe(asked.length);
    expect(paths).toEqual(expect.arrayContaining(asked));
    for (const { answers, seconds, bytes, milliseconds } of loads) {
      expect(answers).toBeGreaterThan(5);
      expect(seconds).toBeGreaterThan(0.8);
      expect(bytes / answers).toBeGreaterThan(100);
      expect(Math.min(...milliseconds)).toBeGreaterThan(9);
    }
  });

  test("is void with an answer of a wrong status", async () => {
    let count = 0;
    const opened = await walk(
      (_request, response) => {
        const status = ++count === 20 ? 404 : 200;
        later(() => response.writeHead(status).end());
      },
      ["/"],
    );
    await expect(opened.fire({ connections: 2, seconds: 1 })).rejects.toThrow(VoidRun);
  });

  test("is void with an answer missing", async () => {
    let count = 0;
    const opened = await walk(
      (_request, response) => {
        count += 1;
        if (count === 20) response.destroy();
        else later(() => response.end("text"));
      },
      ["/"],
    );
    await expect(opened.fire({ connections: 2, seconds: 1 })).rejects.toThrow(VoidRun);
  });
});

describe("A line", () => {
  const cpu = { program: 2_000, database: 1_000 };
  const speed = { perSecond: 500, bytes: 1, cpu, busy: 1, p50: 1, p95: 1, p99: 1 } satisfies Speed;
  const comparison: Comparison = {
    ours: speed,
    alone: 2,
    bare: { ...speed, perSecond: 10_000, busy: 0.96 },
    json: { ...speed, perSecond: 2_000 },
    fts5: { ...speed, perSecond: 1_000 },
  };
  const line = { name: "A line", isFresh: true, requests: () => ({ paths: [] }) };

  test("is void when the bare server was less than 95 % busy", () => {
    expect(invalidity(line, comparison, 600)).toBeUndefined();
    const idle = { ...comparison, bare: { ...comparison.bare, busy: 0.94 } };
    expect(invalidity(line, idle, 600)).toMatch(/94 % busy/);
  });

  test("is void when its addresses come round while answers are kept", () => {
    expect(invalidity(line, comparison, 400)).toMatch(/came round after 0.8 s/);
    expect(invalidity({ ...line, isFresh: false }, comparison, 1)).toBeUndefined();
  });

  test("names each target that it misses", () => {
    const missed = { ...line, targets: { ofBare: 0.06, ofJson: 0.25, ofFts5: 0.6, alone: 1, cpu: 3 } };
    expect(faultsOfLine({ line: missed, comparison }, [])).toEqual([
      "0.05 of bare, at least 0.06 needed",
      "0.50 of FTS5, at least 0.60 needed",
      "2.00 ms alone, at most 1.00 allowed",
    ]);
  });

  test("may cost no more than the line it is held against", () => {
    const held = { line: { ...line, targets: { noDearerThan: "Other" } }, comparison };
    const other = { line: { ...line, name: "Other" }, comparison };
    expect(faultsOfLine(held, [other])).toEqual([]);
    const cheap = { ...comparison, ours: { ...speed, cpu: { program: 1_000, database: 0 } } };
    expect(faultsOfLine(held, [{ ...other, comparison: cheap }])).toEqual([
      '3.00 ms of CPU, as "Other", at most 1.00 allowed',
    ]);
  });
});

describe.runIf(process.platform === "linux")("The processes of a server", () => {
  const BURN = "const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);";

  test("count with their children, PostgreSQL's apart", async () => {
    const database = `process.title = "postgres"; ${BURN} setInterval(() => {}, 1e3); console.log("done");`;
    const script = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(database)}], { stdio: "inherit" }); ${BURN} setInterval(() => {}, 1e3);`;
    const server = spawn(process.execPath, ["-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    cleanups.push(() => process.kill(-pidOf(server)));
    await once(server.stdout, "data");
    await expect.poll(() => cpuOf(pidOf(server)).program).toBeGreaterThan(0.25);
    expect(cpuOf(pidOf(server)).database).toBeGreaterThan(0.25);
    // Each of the two has some megabytes that it does not share.
    expect(memoryOfTree(pidOf(server))).toBeGreaterThan(memoryOf(pidOf(server)) + 5);
  });

  function pidOf({ pid }: ChildProcess): number {
    return pid as number;
  }
});
