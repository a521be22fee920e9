import type { Report } from "../kit.ts";
import { type Judge, type Timed, faultOf, timedTable } from "../measure/in-turn.ts";
import { most, round, table, wordOf } from "../report.ts";
import { FUZZ_LIMIT_MS, FUZZ_P99_MS, type FuzzResult } from "./fuzz.ts";
import { SCATTERED } from "./queries.ts";
import type { SearchResults } from "./suite.ts";

/** The tables of a run, and the missed limits with the requests to look into. */
export function searchReport(results: SearchResults, sizes: { small: number; large: number }): Report {
  const { searches = [], lists = [], fuzz, lastPage } = results;
  const singles: [string, FuzzResult | undefined][] = [
    [`${round(fuzz?.queries ?? 0)} queries of 1,000 characters of anything`, fuzz],
    ["`page=2147483647` of a search and of a list", lastPage],
  ];
  const rows = singles.flatMap(([name, result]) => (result ? [[name, resultOf(result)]] : []));
  return {
    tables: [
      ...(searches.length > 0 ? [timedTable("Search", { sizes, timed: searches, judge: searchHolds })] : []),
      ...(lists.length > 0 ? [timedTable("List", { sizes, timed: lists, judge: listHolds })] : []),
      ...(rows.length > 0 ? [table(["Also", "Result"], rows)] : []),
    ],
    faults: [
      ...searches.filter((row) => !searchHolds(row)).map(faultOf),
      ...lists.filter((row) => !listHolds(row)).map(faultOf),
      ...singles.flatMap(([, result]) => (result ? faultsOfFuzz(result) : [])),
    ],
  };
}

function resultOf(result: FuzzResult): string {
  const slowest = result.slowest.map(({ milliseconds }) => milliseconds.toFixed(0)).join(", ");
  const refused =
    result.refused.length > 0 ? `, ${round(result.refused.length)} not responded to with 200` : "";
  const times = `p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, slowest ${slowest} ms`;
  return `${times}${refused}; ${wordOf(fuzzHolds(result))}`;
}

const SHOWN = 5;

function faultsOfFuzz({ queries, refused, slowest, p99 }: FuzzResult): string[] {
  const requests = [
    ...slowest.filter(({ milliseconds }) => milliseconds > FUZZ_LIMIT_MS),
    ...refused.slice(0, SHOWN),
  ].map(({ path, status, milliseconds, again }) => {
    const repeated = again === undefined ? "" : `, another time ${again.toFixed(0)} ms`;
    return `${status} after ${milliseconds.toFixed(0)} ms${repeated}: ${path}`;
  });
  return [...most(`ms at p99 of ${round(queries)} queries`, p99, FUZZ_P99_MS), ...requests];
}

/** The noise of the computer in a worst case. */
const NOISE_MS = 2;
const LIST_FACTOR = 2;
const CPU_FACTOR = 2;

/** A search may take this processor time at any size, or this many times its time at the smaller size. */
const SEARCH_LIMIT = { ms: 5, times: 2 };
const SCATTERED_LIMIT = { ms: 15, times: 3 };

const searchHolds: Judge = ({ name, small: { cpu: small = 0 }, large: { cpu: large = 0 } }) => {
  const { ms, times } = SCATTERED.has(name) ? SCATTERED_LIMIT : SEARCH_LIMIT;
  return large <= Math.max(ms, times * small);
};

const cpuHolds = ({ small, large }: Omit<Timed, "name">) => (large.cpu ?? 0) <= CPU_FACTOR * (small.cpu ?? 0);

const listHolds: Judge = ({ small, large }) =>
  cpuHolds({ small, large }) &&
  large.p50 <= LIST_FACTOR * small.p50 &&
  large.p99 <= LIST_FACTOR * small.p99 + NOISE_MS;

function fuzzHolds({ refused, slowest, p99 }: FuzzResult): boolean {
  return refused.length === 0 && p99 <= FUZZ_P99_MS && (slowest[0]?.milliseconds ?? 0) <= FUZZ_LIMIT_MS;
}
