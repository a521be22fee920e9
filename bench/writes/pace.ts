import { type Percentiles, percentiles } from "../measure/percentiles.ts";

/** How fast something was done. */
export interface Rate extends Percentiles {
  perSecond: number;
}

interface Times {
  milliseconds: number[];
  seconds: number;
}

/** Repeats `work` in this many places at once, and times each run. */
export async function repeat(
  places: number,
  seconds: number,
  work: (place: number) => Promise<void>,
): Promise<Times> {
  const milliseconds: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: places }, async (_, place) => {
      while (performance.now() < end) {
        const before = performance.now();
        await work(place);
        milliseconds.push(performance.now() - before);
      }
    }),
  );
  return { milliseconds, seconds: (performance.now() - startedAt) / 1_000 };
}

/** The rate over all rounds. */
export function rateOf(rounds: readonly Times[]): Rate {
  const milliseconds = rounds.flatMap((round) => round.milliseconds);
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  return { perSecond: milliseconds.length / seconds, ...percentiles(milliseconds) };
}
