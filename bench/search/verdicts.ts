import type { Timed } from "../measure/in-turn.ts";
import type { FuzzResult } from "./fuzz.ts";
import { FUZZ_LIMIT_MS } from "./fuzz.ts";
import { PUBLICATION_LIMIT_S, type PublicationDelays } from "./publication.ts";

/** The noise of the computer in a worst case. */
const NOISE_MS = 2;
const SEARCH_FACTOR = 5;
const LIST_FACTOR = 2;
const CPU_FACTOR = 2;

/** Whether the larger corpus costs no more than it may. */
export type Judge = (timed: Timed) => boolean;

export const searchHolds: Judge = ({ small, large }) =>
  large.p99 <= SEARCH_FACTOR * small.p99 + NOISE_MS && cpuHolds({ small, large });

const cpuHolds = ({ small, large }: Omit<Timed, "name">) => (large.cpu ?? 0) <= CPU_FACTOR * (small.cpu ?? 0);

export const listHolds: Judge = ({ small, large }) =>
  cpuHolds({ small, large }) &&
  large.p50 <= LIST_FACTOR * small.p50 &&
  large.p99 <= LIST_FACTOR * small.p99 + NOISE_MS;

export function fuzzHolds({ refused, slowest }: FuzzResult): boolean {
  return refused.length === 0 && (slowest[0]?.milliseconds ?? 0) <= FUZZ_LIMIT_MS;
}

export function publicationHolds({ imported, scheduled }: PublicationDelays): boolean {
  return Math.max(imported, scheduled) <= PUBLICATION_LIMIT_S;
}

export function wordOf(holds: boolean): string {
  return holds ? "holds" : "EXCEEDS";
}
