export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

/** Exact ones, in any order of the values. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
