/** A limit that a value misses, as a part of a sentence; empty when it holds or there is none. */
export function least(name: string, value: number, bound: number | undefined): string[] {
  if (bound === undefined || value >= bound) return [];
  return [`${show(value, bound)} ${name}, at least ${show(bound, bound)} needed`];
}

export function most(name: string, value: number, bound: number | undefined): string[] {
  if (bound === undefined || value <= bound) return [];
  return [`${show(value, bound)} ${name}, at most ${show(bound, bound)} allowed`];
}

function show(value: number, bound: number): string {
  return value.toFixed(bound < 10 ? 2 : 1);
}
