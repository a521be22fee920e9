import { say } from "../entry.ts";
import { type Sizes, type Timed, timeInTurn } from "../measure/in-turn.ts";
import { runTimeOf } from "../measure/processes.ts";
import { prepareCorpus } from "../measure/corpus-dir.ts";
import { fuzz, type FuzzResult, timeLastPage } from "./fuzz.ts";
import { LISTS } from "./lists.ts";
import { type PublicationDelays, timePublication } from "./publication.ts";
import { SEARCHES } from "./queries.ts";
import { openSite, type Site } from "./site.ts";

export const PARTS = ["search", "lists", "fuzz", "publication"] as const;
export type Part = (typeof PARTS)[number];

export interface SearchBench {
  parts: readonly Part[];
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
  publication?: PublicationDelays;
}

/** Measures both sizes in one run, so that they share what the computer does besides. */
export async function measureSearch(bench: SearchBench): Promise<SearchResults> {
  const open: (() => Promise<void>)[] = [];
  const start = async (articles: number): Promise<Site> => {
    const dataDir = await prepareCorpus(articles, bench.keep);
    open.push(dataDir.leave);
    const site = await openSite(dataDir);
    open.push(site.stop);
    return site;
  };
  try {
    const sizes = { small: await start(bench.small), large: await start(bench.large) };
    return await measureParts(sizes, bench);
  } finally {
    for (const close of open.toReversed()) await close();
  }
}

async function measureParts(sizes: Sizes<Site>, bench: SearchBench): Promise<SearchResults> {
  const results: SearchResults = {};
  const { large } = sizes;
  const overHttp = { times: bench.requests, cpuOf: ({ pid }: Site) => runTimeOf(pid) };
  for (const part of bench.parts) {
    say(`Measuring ${part}`);
    if (part === "search") results.searches = await timeInTurn(SEARCHES, sizes, overHttp);
    if (part === "lists") results.lists = await timeInTurn(LISTS, sizes, overHttp);
    if (part === "fuzz") {
      results.fuzz = await fuzz(large, bench.fuzz);
      results.lastPage = await timeLastPage(large, bench.requests);
    }
    if (part === "publication") results.publication = await timePublication(large);
  }
  return results;
}
