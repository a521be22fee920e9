import { type Percentiles, percentiles } from "./percentiles.ts";
import { round, share, table, wordOf } from "../report.ts";

/** Something whose time is taken at both sizes. */
export interface Subject<Site> {
  name: string;
  /** Does it once, for the time number `count` from 0, and gives the milliseconds it took. */
  time(site: Site, count: number): Promise<number>;
}

export interface Sizes<Site> {
  small: Site;
  large: Site;
}

/** How long it took at both sizes. */
export interface Timed {
  name: string;
  small: Taken;
  large: Taken;
}

interface Taken extends Percentiles {
  /** The median milliseconds of processor time, where they are measured. */
  cpu?: number;
}

interface Options<Site> {
  times: number;
  /** Milliseconds of the site's processor time so far. */
  cpuOf?: (site: Site) => number;
}

const WARM_UP = 5;

/** Takes the times of all subjects in turn, at one size and the other, so that noise of the computer hits all alike. */
export async function timeInTurn<Site>(
  subjects: readonly Subject<Site>[],
  { small, large }: Sizes<Site>,
  { times, cpuOf }: Options<Site>,
): Promise<Timed[]> {
  const taken = subjects.map(({ name }) => ({ name, small: noSamples(), large: noSamples() }));
  for (let count = 0; count < WARM_UP + times; count += 1) {
    for (const [index, subject] of subjects.entries()) {
      for (const [size, site] of [
        ["small", small],
        ["large", large],
      ] as const) {
        const before = cpuOf?.(site) ?? 0;
        const milliseconds = await subject.time(site, count);
        const cpu = (cpuOf?.(site) ?? 0) - before;
        if (count < WARM_UP) continue;
        taken[index]?.[size].milliseconds.push(milliseconds);
        taken[index]?.[size].cpu.push(cpu);
      }
    }
  }
  const sumUp = ({ milliseconds, cpu }: Samples): Taken => ({
    ...percentiles(milliseconds),
    ...(cpuOf && { cpu: percentiles(cpu).p50 }),
  });
  return taken.map(({ name, small: ofSmall, large: ofLarge }) => {
    return { name, small: sumUp(ofSmall), large: sumUp(ofLarge) };
  });
}

interface Samples {
  milliseconds: number[];
  cpu: number[];
}

const noSamples = (): Samples => ({ milliseconds: [], cpu: [] });

/** Whether the larger site costs no more than it may. */
export type Judge = (timed: Timed) => boolean;

interface TimedTable {
  sizes: { small: number; large: number };
  timed: readonly Timed[];
  judge: Judge;
}

/** Times at both sizes. */
export function timedTable(name: string, { sizes, timed, judge }: TimedTable): string {
  const [small, large] = [round(sizes.small), round(sizes.large)];
  const columns = [`p50 at ${small}`, `p50 at ${large}`, `p99 at ${small}`, `p99 at ${large}`, "p99 ratio"];
  const hasCpu = timed.some((row) => row.large.cpu !== undefined);
  const cpuColumns = hasCpu ? [`CPU at ${small}`, `CPU at ${large}`, "CPU ratio"] : [];
  const rows = timed.map((row) => [
    row.name,
    ...timesOf(row),
    ...(hasCpu ? costsOf(row) : []),
    wordOf(judge(row)),
  ]);
  return table([name, ...columns, ...cpuColumns, "Verdict"], rows);
}

function timesOf({ small, large }: Timed): string[] {
  const times = [small.p50, large.p50, small.p99, large.p99].map((milliseconds) => milliseconds.toFixed(1));
  return [...times, share(large.p99 / small.p99)];
}

function costsOf({ small: { cpu: small = 0 }, large: { cpu: large = 0 } }: Timed): string[] {
  return [small.toFixed(1), large.toFixed(1), share(large / small)];
}

/** In words, that something takes too long at the larger size. */
export function faultOf({ name, small, large }: Timed): string {
  const cpu =
    large.cpu === undefined ? "" : `, ${large.cpu.toFixed(1)} ms of CPU against ${small.cpu?.toFixed(1)}`;
  return `${name}: p99 ${large.p99.toFixed(1)} ms against ${small.p99.toFixed(1)} ms${cpu}.`;
}
