import type { ChildProcess } from "node:child_process";
import { capture } from "./capture.ts";
import { ask, startChild } from "./child.ts";
import type { Load, Request } from "./orders.ts";
import { type Percentiles, percentiles } from "./percentiles.ts";

/** How fast a server answered. */
export interface Speed extends Percentiles {
  perSecond: number;
}

export interface Comparison {
  ours: Speed;
  /** The same answers from a server that does nothing else. */
  bare: Speed;
  /** Mean size of an answer's body. */
  bytes: number;
}

export interface Pace {
  connections: number;
  warmUpSeconds: number;
  /** Both servers take turns, so that a slow minute of the computer hits both. */
  rounds: number;
  secondsPerRound: number;
}

/** So many different answers the bare server holds; more would only fill its memory. */
const SAMPLES = 64;

/** Measures the server at `baseUrl` next to a bare one. */
export async function compare(baseUrl: string, requests: Request[], pace: Pace): Promise<Comparison> {
  const answers = await Promise.all(sample(requests).map((request) => capture(baseUrl, request)));
  const status = statusOf(answers.map((answer) => answer.status));
  const [load, bare] = [startChild("./load.ts"), startChild("./bare.ts")];
  try {
    const port = await ask<number>(bare, answers);
    const targets = { ours: baseUrl, bare: `http://127.0.0.1:${port}` };
    const fire = (url: string, seconds: number) => fireAt(load, { url, requests, seconds, status, pace });
    const loads = { ours: [] as Load[], bare: [] as Load[] };
    await fire(targets.ours, pace.warmUpSeconds);
    await fire(targets.bare, pace.warmUpSeconds);
    for (let round = 0; round < pace.rounds; round += 1) {
      loads.ours.push(await fire(targets.ours, pace.secondsPerRound));
      loads.bare.push(await fire(targets.bare, pace.secondsPerRound));
    }
    const bytes = answers.reduce((sum, { body }) => sum + body.length, 0) / answers.length;
    return { ours: speedOf(loads.ours), bare: speedOf(loads.bare), bytes };
  } finally {
    load.kill();
    bare.kill();
  }
}

function sample(requests: Request[]): Request[] {
  const step = Math.max(1, requests.length / SAMPLES);
  return Array.from({ length: Math.min(SAMPLES, requests.length) }, (_, index) => {
    return requests[Math.floor(index * step)] as Request;
  });
}

function statusOf(statuses: number[]): number {
  const [first = 0, ...others] = new Set(statuses);
  if ([200, 304].includes(first) && others.length === 0) return first;
  throw new Error(
    `The answers to measure must all be 200 or all be 304, not ${[first, ...others].join(" and ")}.`,
  );
}

interface Fire {
  url: string;
  requests: Request[];
  seconds: number;
  status: number;
  pace: Pace;
}

async function fireAt(child: ChildProcess, { url, requests, seconds, status, pace }: Fire): Promise<Load> {
  const load = await ask<Load>(child, { url, requests, seconds, connections: pace.connections });
  const wrong = Object.keys(load.statuses).filter((other) => Number(other) !== status);
  if (load.errors === 0 && wrong.length === 0) return load;
  throw new Error(
    `${url} failed under load: ${load.errors} requests without an answer, statuses ${JSON.stringify(load.statuses)}.`,
  );
}

function speedOf(loads: Load[]): Speed {
  const milliseconds = loads.flatMap((load) => [...load.milliseconds]);
  const seconds = loads.reduce((sum, load) => sum + load.seconds, 0);
  return { perSecond: milliseconds.length / seconds, ...percentiles(milliseconds) };
}
