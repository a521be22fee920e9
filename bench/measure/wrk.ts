import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** GET requests that differ in their address only. */
export interface Requests {
  paths: readonly string[];
  headers?: Record<string, string>;
}

export interface Fire {
  connections: number;
  seconds: number;
  /** Looks at the status of every answer, even where that costs wrk time. */
  checksEvery?: boolean;
}

/** The answers of one round. */
export interface Load {
  answers: number;
  seconds: number;
  /** Heads and bodies. */
  bytes: number;
  /** The time of each answer. */
  milliseconds: number[];
}

/** Requests to one server: each round goes on where the one before it ended. */
export interface Walk {
  /** @throws VoidRun when an answer is missing or has another status than expected */
  fire(round: Fire): Promise<Load>;
  close(): Promise<void>;
}

export interface Target {
  url: string;
  requests: Requests;
  /** The status that every answer must have. */
  status: number;
}

/** A round whose figures say nothing; the run goes on with other lines. */
export class VoidRun extends Error {}

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, "walk.lua");

/** Other load generators take the processor time that the servers need to be the limit. */
export function hasWrk(): boolean {
  return spawnSync("wrk", ["-v"]).error === undefined;
}

export async function openWalk(target: Target): Promise<Walk> {
  const file = join(tmpdir(), `inkstone-bench-${randomUUID().slice(0, 8)}.txt`);
  await writeFile(file, `${target.requests.paths.join("\n")}\n`);
  let first = 0;
  return {
    async fire(round) {
      const { stdout } = await run("wrk", argumentsOf(target, file, first, round), { maxBuffer: 2 ** 26 });
      const figures = readFigures(stdout);
      first += figures.get("asked") ?? 0;
      return toLoad(target, figures, stdout);
    },
    close: () => rm(file, { force: true }),
  };
}

function argumentsOf({ url, requests, status }: Target, file: string, first: number, round: Fire): string[] {
  const { connections, seconds, checksEvery = false } = round;
  const headers = Object.entries(requests.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  // One thread walks one list; it asks faster than any one Node process answers.
  const load = ["-t", "1", "-c", String(connections), "-d", `${seconds}s`, "--timeout", "30s"];
  const script = [file, String(first), String(status), checksEvery ? "every" : "errors"];
  return [...load, ...headers.flatMap((header) => ["-H", header]), "-s", SCRIPT, url, "--", ...script];
}

function readFigures(output: string): Map<string, number> {
  const pairs = output.matchAll(/^([a-z]+) (\d+)$/gm);
  return new Map([...pairs].map(([, name = "", value]) => [name, Number(value)]));
}

function toLoad({ url }: Target, figures: Map<string, number>, output: string): Load {
  const figure = (name: string) => figures.get(name) ?? NaN;
  const [missing, refused, unexpected] = [figure("missing"), figure("refused"), figure("unexpected")];
  if (missing !== 0 || refused !== 0 || unexpected !== 0) {
    const example = unexpected > 0 ? `, such as ${figure("example")}` : "";
    throw new VoidRun(
      `${url} left ${missing} requests without a response and gave ${Math.max(refused, unexpected)} responses with a wrong status${example}`,
    );
  }
  const histogram = output.matchAll(/^latency (\d+) (\d+)$/gm);
  return {
    answers: figure("answers"),
    seconds: figure("microseconds") / 1e6,
    bytes: figure("bytes"),
    milliseconds: [...histogram].flatMap(([, microseconds, count]) =>
      Array.from({ length: Number(count) }, () => Number(microseconds) / 1_000),
    ),
  };
}
