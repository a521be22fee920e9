import type { Timed } from "../measure/in-turn.ts";
import type { FuzzResult } from "./fuzz.ts";
import { FUZZ_LIMIT_MS, FUZZ_P99_MS } from "./fuzz.ts";
import { SCATTERED } from "./queries.ts";
import { PUBLICATION_LIMIT_S, type PublicationDelays } from "./publication.ts";

/** The noise of the computer in a worst case. */
const NOISE_MS = 2;
const LIST_FACTOR = 2;
const CPU_FACTOR = 2;

/** Whether the larger corpus costs no more than it may. */
export type Judge = (timed: Timed) => boolean;

/** Processor time that a search may need at any size, or so many times that at the smaller one. */
const SEARCH_LIMIT = { ms: 5, times: 2 };
const SCATTERED_LIMIT = { ms: 15, times: 3 };

export const searchHolds: Judge = ({ name, small: { cpu: small = 0 }, large: { cpu: large = 0 } }) => {
  const { ms, times } = SCATTERED.has(name) ? SCATTERED_LIMIT : SEARCH_LIMIT;
  return large <= Math.max(ms, times * small);
};

const cpuHolds = ({ small, large }: Omit<Timed, "name">) => (large.cpu ?? 0) <= CPU_FACTOR * (small.cpu ?? 0);

export const listHolds: Judge = ({ small, large }) =>
  cpuHolds({ small, large }) &&
  large.p50 <= LIST_FACTOR * small.p50 &&
  large.p99 <= LIST_FACTOR * small.p99 + NOISE_MS;

export function fuzzHolds({ refused, slowest, p99 }: FuzzResult): boolean {
  return refused.length === 0 && p99 <= FUZZ_P99_MS && (slowest[0]?.milliseconds ?? 0) <= FUZZ_LIMIT_MS;
}

export function publicationHolds({ imported, scheduled }: PublicationDelays): boolean {
  return Math.max(imported, scheduled) <= PUBLICATION_LIMIT_S;
}

export function wordOf(holds: boolean): string {
  return holds ? "holds" : "EXCEEDS";
}
