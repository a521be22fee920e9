import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { BareOrder } from "./bare.ts";
import { type Answer, capture } from "./capture.ts";
import { ask, pidOf, startChild } from "./child.ts";
import { type Percentiles, percentiles } from "./percentiles.ts";
import { type Cpu, cpuOf } from "./processes.ts";
import { type Fire, type Load, openWalk, type Requests, type Target, VoidRun, type Walk } from "./wrk.ts";

export interface Server {
  baseUrl: string;
  pid: number;
}

/** How fast a server answered. */
export interface Speed extends Percentiles {
  perSecond: number;
  /** Mean size of an answer, with its head. */
  bytes: number;
  /** Microseconds of processor time for each answer. */
  cpu: Cpu;
  /** Processor time of the program as a share of one core. */
  busy: number;
}

export interface Comparison {
  ours: Speed;
  /** Milliseconds that one client alone waits in the middle. */
  alone: number;
  /** The same answers from a server that does nothing else. */
  bare: Speed;
  /** The same pages, turned from objects into text for each request. */
  json: Speed;
  /** Search by SQLite's FTS5, for lines that compare with it. */
  fts5?: Speed;
}

export interface Pace {
  connections: number;
  /** All seconds are whole ones, because wrk takes no others. */
  warmUpSeconds: number;
  /** All servers take turns, so that a slow minute of the computer hits all of them. */
  rounds: number;
  secondsPerRound: number;
  secondsAlone: number;
}

export interface Compared {
  requests: Requests;
  /** The headers with which the answers of the servers to compare with are taken. */
  bareHeaders: Record<string, string>;
  /** The only page of the server that stringifies; without it that server has the same pages. */
  jsonPage?: string | undefined;
  fts5?: { server: Server; requests: Requests } | undefined;
  pace: Pace;
}

interface Rounds {
  loads: Load[];
  cpu: Cpu;
}

interface Contestant {
  pid: number;
  walk: Walk;
  rounds: Rounds;
}

interface Contestants {
  ours: Contestant;
  bare: Contestant;
  json: Contestant;
  fts5?: Contestant;
}

/** Measures a server beside a bare one and one that only stringifies. */
export async function compare(server: Server, compared: Compared): Promise<Comparison> {
  const { requests, bareHeaders, jsonPage, fts5 } = compared;
  const paths = sample(requests.paths);
  const { status } = await capture(server.baseUrl, paths[0] as string, requests.headers);
  const answers = await captureAll(server.baseUrl, paths, bareHeaders);
  const pages = jsonPage === undefined ? answers : await captureAll(server.baseUrl, [jsonPage], {});
  const children = [startChild("./bare.ts"), startChild("./bare.ts")] as const;
  const walks: Walk[] = [];
  const open = async ({ pid, baseUrl: url }: Server, target: Omit<Target, "url">): Promise<Contestant> => {
    const walk = await openWalk({ url, ...target });
    walks.push(walk);
    return { pid, walk, rounds: { loads: [], cpu: { program: 0, database: 0 } } };
  };
  try {
    const bare = await serve(children[0], { answers, stringifies: false });
    const json = await serve(children[1], { answers: pages, stringifies: true });
    return await takeTurns(
      {
        ours: await open(server, { requests, status }),
        bare: await open(bare, { requests, status: 200 }),
        json: await open(json, { requests, status: 200 }),
        ...(fts5 && { fts5: await open(fts5.server, { requests: fts5.requests, status: 200 }) }),
      },
      compared.pace,
    );
  } finally {
    for (const child of children) child.kill();
    for (const walk of walks) await walk.close();
  }
}

async function takeTurns(
  { ours, ...others }: Contestants,
  { connections, warmUpSeconds, rounds, secondsPerRound, secondsAlone }: Pace,
): Promise<Comparison> {
  const checked = await fire(ours, { connections, seconds: warmUpSeconds, checksEvery: true });
  for (const one of Object.values(others)) await fire(one, { connections, seconds: warmUpSeconds });
  const alone: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const one of [ours, ...Object.values(others)])
      await measure(one, { connections, seconds: secondsPerRound });
    alone.push(await fire(ours, { connections: 1, seconds: secondsAlone }));
  }
  const speed = speedOf(ours.rounds);
  checkBytes(speed.bytes, checked.bytes / checked.answers);
  return {
    ours: speed,
    alone: percentiles(alone.flatMap(({ milliseconds }) => milliseconds)).p50,
    bare: speedOf(others.bare.rounds),
    json: speedOf(others.json.rounds),
    ...(others.fts5 && { fts5: speedOf(others.fts5.rounds) }),
  };
}

/** The pause between rounds, in which a server ends the work of the last one. */
const SETTLE_MS = 250;

async function measure(one: Contestant, round: Fire): Promise<void> {
  const { pid, rounds } = one;
  const before = cpuOf(pid);
  rounds.loads.push(await fire(one, round));
  const after = cpuOf(pid);
  rounds.cpu.program += after.program - before.program;
  rounds.cpu.database += after.database - before.database;
  await sleep(SETTLE_MS);
}

async function fire({ walk }: Contestant, round: Fire): Promise<Load> {
  const load = await walk.fire(round);
  if (load.answers === 0) throw new VoidRun(`no response came within ${round.seconds} s`);
  return load;
}

function speedOf({ loads, cpu }: Rounds): Speed {
  const sum = (figure: (load: Load) => number) => loads.reduce((total, load) => total + figure(load), 0);
  const [answers, seconds] = [sum((load) => load.answers), sum((load) => load.seconds)];
  return {
    perSecond: answers / seconds,
    bytes: sum((load) => load.bytes) / answers,
    cpu: { program: (cpu.program / answers) * 1e6, database: (cpu.database / answers) * 1e6 },
    busy: cpu.program / seconds,
    ...percentiles(loads.flatMap(({ milliseconds }) => milliseconds)),
  };
}

/** Under full load only failures are counted, so the size has to show that the answers are the ones of the warm-up. */
function checkBytes(measured: number, checked: number): void {
  if (measured < checked * 2 && measured > checked / 2) return;
  throw new VoidRun(
    `A response had ${Math.round(measured)} bytes on average, but ${Math.round(checked)} in the warm-up`,
  );
}

/** The servers to compare with hold this many different answers; more would only fill their memory. */
const SAMPLES = 64;

function sample(paths: readonly string[]): string[] {
  const step = Math.max(1, paths.length / SAMPLES);
  return Array.from({ length: Math.min(SAMPLES, paths.length) }, (_, index) => {
    return paths[Math.floor(index * step)] as string;
  });
}

async function captureAll(
  baseUrl: string,
  paths: string[],
  headers: Record<string, string>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const path of paths) {
    const answer = await capture(baseUrl, path, headers);
    if (answer.status !== 200) throw new VoidRun(`${path} returned ${answer.status}, not 200`);
    answers.push(answer);
  }
  return answers;
}

async function serve(child: ChildProcess, order: BareOrder): Promise<Server> {
  return { baseUrl: `http://127.0.0.1:${await ask<number>(child, order)}`, pid: pidOf(child) };
}
