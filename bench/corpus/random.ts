/** Numbers that look random and are the same for the same seed, on every computer. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number between these, both included. */
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The mulberry32 generator: 32 bits of state are plenty for text. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  };
}

/** Draws places from 0 to `count - 1`, the place k with a weight of 1 / (k + 1): Zipf's law. */
export function createZipf(random: Random, count: number): () => number {
  const upTo = new Float64Array(count);
  let sum = 0;
  for (let place = 0; place < count; place += 1) {
    sum += 1 / (place + 1);
    upTo[place] = sum;
  }
  return () => firstAbove(upTo, random.next() * sum);
}

function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The list in a random order. */
export function shuffle<T>(random: Random, list: readonly T[]): T[] {
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.between(0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}
