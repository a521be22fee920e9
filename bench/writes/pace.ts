import { setTimeout as sleep } from "node:timers/promises";
import { type Percentiles, percentiles } from "../measure/percentiles.ts";

/** How fast something was done. */
export interface Rate extends Percentiles {
  perSecond: number;
}

/** The time of each run, and of all of them. */
export interface Times {
  milliseconds: number[];
  seconds: number;
}

interface Options {
  /** So many at once. */
  places: number;
  seconds: number;
  /** In all places together, at an even pace; as fast as possible when left out. */
  perSecond?: number;
  /** Ends it before its time. */
  isOver?: () => boolean;
}

/** Repeats `work` and times each run. */
export async function repeat(options: Options, work: (place: number) => Promise<void>): Promise<Times> {
  const { places, seconds, perSecond = Infinity, isOver = () => false } = options;
  const milliseconds: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: places }, async (_, place) => {
      for (let turn = place; !isOver(); turn += places) {
        const due = startedAt + (turn * 1_000) / perSecond;
        if (Math.max(due, performance.now()) >= end) break;
        if (due > performance.now()) await sleep(due - performance.now());
        const before = performance.now();
        await work(place);
        milliseconds.push(performance.now() - before);
      }
    }),
  );
  // The places that wait for their next turn end early.
  const taken = Number.isFinite(perSecond) ? Math.max(performance.now(), end) : performance.now();
  return { milliseconds, seconds: (taken - startedAt) / 1_000 };
}

/** The rate over all rounds. */
export function rateOf(rounds: readonly Times[]): Rate {
  const milliseconds = rounds.flatMap((round) => round.milliseconds);
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  return { perSecond: milliseconds.length / seconds, ...percentiles(milliseconds) };
}
