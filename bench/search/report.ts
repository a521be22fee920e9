import { most } from "../limits.ts";
import type { Timed } from "../measure/in-turn.ts";
import { round, share, type Single, table } from "../report.ts";
import { FUZZ_LIMIT_MS, FUZZ_P99_MS, type FuzzResult } from "./fuzz.ts";
import { PUBLICATION_LIMIT_S, type PublicationDelays } from "./publication.ts";
import type { SearchResults } from "./suite.ts";
import { fuzzHolds, type Judge, listHolds, publicationHolds, searchHolds, wordOf } from "./verdicts.ts";

interface Sized {
  small: number;
  large: number;
}

/** The tables of a run, as Markdown. */
export function writeSearchReport(results: SearchResults, sizes: Sized): string {
  const { searches, lists } = results;
  const singles = singlesOf(results);
  return [
    ...(searches ? [timedTable("Search", { sizes, timed: searches, judge: searchHolds })] : []),
    ...(lists ? [timedTable("List", { sizes, timed: lists, judge: listHolds })] : []),
    ...(singles.length > 0
      ? [
          table(
            ["Also", "Result"],
            singles.map(({ name, result }) => [name, result]),
          ),
        ]
      : []),
  ].join("\n\n");
}

interface TimedTable {
  sizes: Sized;
  timed: Timed[];
  judge: Judge;
}

/** Times at both sizes. */
export function timedTable(name: string, { sizes, timed, judge }: TimedTable): string {
  const [small, large] = [round(sizes.small), round(sizes.large)];
  const columns = [`p50 at ${small}`, `p50 at ${large}`, `p99 at ${small}`, `p99 at ${large}`];
  const hasCpu = timed.some((row) => row.large.cpu !== undefined);
  const head = [name, ...columns, "p99 ratio"];
  if (hasCpu) head.push(`CPU at ${small}`, `CPU at ${large}`, "CPU ratio");
  head.push("Verdict");
  const rows = timed.map((row) => [
    row.name,
    ...timesOf(row),
    share(row.large.p99 / row.small.p99),
    ...(hasCpu ? costsOf(row) : []),
    wordOf(judge(row)),
  ]);
  return table(head, rows);
}

function timesOf({ small, large }: Timed): string[] {
  return [small.p50, large.p50, small.p99, large.p99].map((milliseconds) => milliseconds.toFixed(1));
}

function costsOf({ small: { cpu: small = 0 }, large: { cpu: large = 0 } }: Timed): string[] {
  return [small.toFixed(1), large.toFixed(1), share(large / small)];
}

function singlesOf({ fuzz, lastPage, publication }: SearchResults): Single[] {
  return [
    ...(fuzz ? [single(`${round(fuzz.queries)} queries of 200 characters of anything`, fuzz)] : []),
    ...(lastPage ? [single("`page=2147483647` of a search and of a list", lastPage)] : []),
    ...(publication ? publicationSingles(publication) : []),
  ];
}

function publicationSingles({ imported, scheduled }: PublicationDelays): Single[] {
  return [
    { name: "A new article is found after its import by another process, at most", result: delay(imported) },
    { name: "A scheduled article is found after its date, at most", result: delay(scheduled) },
  ];
}

function delay(seconds: number): string {
  return `${seconds.toFixed(2)} s; ${wordOf(seconds <= PUBLICATION_LIMIT_S)}`;
}

function single(name: string, result: FuzzResult): Single {
  const slowest = result.slowest.map(({ milliseconds }) => milliseconds.toFixed(0)).join(", ");
  const parts = [
    `p50 ${result.p50.toFixed(1)} ms`,
    `p99 ${result.p99.toFixed(1)} ms`,
    `slowest ${slowest} ms`,
  ];
  if (result.refused.length > 0) parts.push(`${round(result.refused.length)} not responded to with 200`);
  return { name, result: `${parts.join(", ")}; ${wordOf(fuzzHolds(result))}` };
}

/** The missed limits, in words, with the requests to look into. */
export function faultsOfSearch(results: SearchResults): string[] {
  const { searches = [], lists = [], fuzz, lastPage, publication } = results;
  const timed = [
    ...searches.filter((row) => !searchHolds(row)),
    ...lists.filter((row) => !listHolds(row)),
  ].map(faultOf);
  const fuzzed = [fuzz, lastPage].filter((result) => result !== undefined).flatMap(faultsOfFuzz);
  const late =
    publication && !publicationHolds(publication)
      ? [
          `A new article is found after ${publication.imported} s, a scheduled one after ${publication.scheduled} s.`,
        ]
      : [];
  return [...timed, ...fuzzed, ...late];
}

/** In words, that something takes too long at the larger size. */
export function faultOf({ name, small, large }: Timed): string {
  const cpu =
    large.cpu === undefined ? "" : `, ${large.cpu.toFixed(1)} ms of CPU against ${small.cpu?.toFixed(1)}`;
  return `${name}: p99 ${large.p99.toFixed(1)} ms against ${small.p99.toFixed(1)} ms${cpu}.`;
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
