import type { Pair } from "../beside.ts";
import { closing, say } from "../kit.ts";
import { prepareCorpus } from "../measure/corpus-dir.ts";
import { type Sizes, type Timed, timeInTurn } from "../measure/in-turn.ts";
import { runTimeOf } from "../measure/processes.ts";
import { OURS, type Program } from "../measure/program.ts";
import { fuzz, type FuzzResult, timeLastPage } from "./fuzz.ts";
import { LISTS } from "./lists.ts";
import { SEARCHES } from "./queries.ts";
import { openSite, type Site } from "./site.ts";

export const PARTS = ["search", "lists", "fuzz"] as const;

export interface SearchBench {
  parts: readonly (typeof PARTS)[number][];
  small: number;
  large: number;
  /** Where the data directories are kept for another run. */
  keep: string | undefined;
  requests: number;
  fuzz: number;
}

/** Parts that were left out are undefined. */
export interface SearchResults {
  searches?: Timed[];
  lists?: Timed[];
  fuzz?: FuzzResult;
  lastPage?: FuzzResult;
}

interface Wanted {
  articles: number;
  program: Program;
}

/** Serves both at once, so that they share what the computer does besides. */
function withBoth<Result>(
  wanted: { small: Wanted; large: Wanted },
  keep: string | undefined,
  work: (sizes: Sizes<Site>) => Promise<Result>,
): Promise<Result> {
  const madeAt = Date.now();
  return closing(async (later) => {
    const start = async ({ articles, program }: Wanted): Promise<Site> => {
      const dataDir = await prepareCorpus({ articles, keep, program, madeAt });
      later(dataDir.leave);
      const site = await openSite(dataDir, program);
      later(site.stop);
      return site;
    };
    return work({ small: await start(wanted.small), large: await start(wanted.large) });
  });
}

export function measureSearch({ parts, small, large, keep, ...bench }: SearchBench): Promise<SearchResults> {
  const wanted = { small: { articles: small, program: OURS }, large: { articles: large, program: OURS } };
  return withBoth(wanted, keep, async (sizes) => {
    const results: SearchResults = {};
    for (const part of parts) {
      say(`Measuring ${part}`);
      if (part === "search") results.searches = await timeAll(SEARCHES, sizes, bench.requests);
      if (part === "lists") results.lists = await timeAll(LISTS, sizes, bench.requests);
      if (part !== "fuzz") continue;
      results.fuzz = await fuzz(sizes.large, bench.fuzz);
      results.lastPage = await timeLastPage(sizes.large, bench.requests);
    }
    return results;
  });
}

/** Measures both programs at the smaller size. */
export function measureSearchBeside(bench: SearchBench, other: Program): Promise<Pair[]> {
  const { parts, small: articles, keep, requests } = bench;
  const wanted = { small: { articles, program: other }, large: { articles, program: OURS } };
  return withBoth(wanted, keep, async (sites) => {
    say("Measuring");
    const subjects = [
      ...(parts.includes("search") ? SEARCHES : []),
      ...(parts.includes("lists") ? LISTS : []),
    ];
    const timed = await timeAll(subjects, sites, requests);
    return timed.map(({ name, small: before, large: now }) => {
      return { name, unit: "ms of CPU", now: now.cpu ?? NaN, before: before.cpu ?? NaN };
    });
  });
}

function timeAll(subjects: Parameters<typeof timeInTurn<Site>>[0], sizes: Sizes<Site>, times: number) {
  return timeInTurn(subjects, sizes, { times, cpuOf: ({ pid }) => runTimeOf(pid) });
}
