import { setTimeout as sleep } from "node:timers/promises";
import { closing } from "../kit.ts";
import { type Percentiles, percentiles } from "./percentiles.ts";
import { type Cpu, cpuOf } from "./processes.ts";
import type { Server } from "./program.ts";
import { type Fire, type Load, openWalk, type Target, VoidRun, type Walk } from "./wrk.ts";

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

export interface Pace {
  connections: number;
  /** All seconds are whole ones, because wrk takes no others. */
  warmUpSeconds: number;
  /** All servers take turns, so that a slow minute of the computer hits all of them. */
  rounds: number;
  secondsPerRound: number;
  /** Of the first server after each round by one client; 0 for none. */
  secondsAlone: number;
}

interface Contestant {
  meter: () => Cpu;
  walk: Walk;
  loads: Load[];
  cpu: Cpu;
}

/** A server, and what it is asked for. */
export interface Entry extends Omit<Target, "url"> {
  server: Server;
  /** What it has used so far; by default the server with its embedded PostgreSQL. */
  meter?: () => Cpu;
}

/** Measures servers in turns; gives the speed of each, and the milliseconds that one client waits for the first. */
export function takeTurns(entries: readonly Entry[], pace: Pace) {
  return closing(async (later) => {
    const all: Contestant[] = [];
    for (const { server, meter = () => cpuOf(server.pid), ...target } of entries) {
      const walk = await openWalk({ url: server.baseUrl, ...target });
      later(() => walk.close());
      all.push({ meter, walk, loads: [], cpu: { program: 0, database: 0 } });
    }
    return measureAll(all, pace);
  });
}

async function measureAll(
  all: readonly Contestant[],
  { connections, warmUpSeconds, rounds, secondsPerRound, secondsAlone }: Pace,
) {
  const checked: Load[] = [];
  for (const one of all)
    checked.push(await fire(one, { connections, seconds: warmUpSeconds, checksEvery: true }));
  const alone: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const one of round % 2 === 0 ? all : all.toReversed())
      await measure(one, { connections, seconds: secondsPerRound });
    const [first] = all;
    if (first && secondsAlone > 0) alone.push(await fire(first, { connections: 1, seconds: secondsAlone }));
  }
  const speeds = all.map(speedOf);
  for (const [place, { bytes }] of speeds.entries()) checkBytes(bytes, checked[place]);
  return { speeds, alone: percentiles(alone.flatMap(({ milliseconds }) => milliseconds)).p50 };
}

/** The pause between rounds, in which a server ends the work of the last one. */
const SETTLE_MS = 250;

async function measure(one: Contestant, round: Fire): Promise<void> {
  const before = one.meter();
  one.loads.push(await fire(one, round));
  const after = one.meter();
  one.cpu.program += after.program - before.program;
  one.cpu.database += after.database - before.database;
  await sleep(SETTLE_MS);
}

async function fire({ walk }: Contestant, round: Fire): Promise<Load> {
  const load = await walk.fire(round);
  if (load.answers === 0) throw new VoidRun(`no response came within ${round.seconds} s`);
  return load;
}

function speedOf({ loads, cpu }: Contestant): Speed {
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
function checkBytes(
  measured: number,
  { bytes, answers }: Load = { answers: 1, seconds: 0, bytes: 0, milliseconds: [] },
) {
  const checked = bytes / answers;
  if (measured < checked * 2 && measured > checked / 2) return;
  throw new VoidRun(
    `A response had ${Math.round(measured)} bytes on average, but ${Math.round(checked)} in the warm-up`,
  );
}
