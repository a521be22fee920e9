import { type Percentiles, percentiles } from "./percentiles.ts";

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
  small: Percentiles;
  large: Percentiles;
}

const WARM_UP = 5;

/** Takes the times of all subjects in turn, at one size and the other, so that noise of the computer hits all alike. */
export async function timeInTurn<Site>(
  subjects: readonly Subject<Site>[],
  { small, large }: Sizes<Site>,
  times: number,
): Promise<Timed[]> {
  const taken = subjects.map(() => ({ small: [] as number[], large: [] as number[] }));
  for (let count = 0; count < WARM_UP + times; count += 1) {
    for (const [index, subject] of subjects.entries()) {
      const [ofSmall, ofLarge] = [await subject.time(small, count), await subject.time(large, count)];
      if (count < WARM_UP) continue;
      taken[index]?.small.push(ofSmall);
      taken[index]?.large.push(ofLarge);
    }
  }
  return subjects.map(({ name }, index) => ({
    name,
    small: percentiles(taken[index]?.small ?? []),
    large: percentiles(taken[index]?.large ?? []),
  }));
}
